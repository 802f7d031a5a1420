// Layout for phones, which applies below a width of 40 rem. Style sheets use the variant `phone:`, which follows the same
// state.

/** Width from which the layout for desktops applies, in rem. */
const DESKTOP_WIDTH = 40

class Phone {
  /** Whether the layout for phones applies. */
  isNarrow = $state(false)

  follow(page: HTMLElement): void {
    const measure = (): void => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      this.isNarrow = page.clientWidth < DESKTOP_WIDTH * rem
      document.documentElement.toggleAttribute('data-phone', this.isNarrow)
    }
    measure()
    new ResizeObserver(measure).observe(page)
  }
}

export const phone = new Phone()

/** Follows the width of the page from now on. Without this call, the layout for desktops always applies. */
export function adaptToPhones(): void {
  phone.follow(document.body)
}
