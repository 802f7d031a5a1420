// Scale of the user's font size, for lengths in pixels. All other lengths use `rem` and scale automatically.

/** Default font size, in pixels. */
const USUAL = 16

class Letters {
  /** Ratio of the user's font size to the default font size: 1 at the default, 2 at twice that size. */
  scale = $state(1)

  constructor() {
    // Observe a box of 1rem, because no event reports a change of the font size.
    const probe = document.createElement('div')
    probe.ariaHidden = 'true'
    Object.assign(probe.style, { position: 'absolute', inlineSize: '1rem', blockSize: '0', visibility: 'hidden' })
    document.body.append(probe)
    const measure = (): void => void (this.scale = probe.offsetWidth / USUAL || 1)
    measure()
    new ResizeObserver(measure).observe(probe)
  }
}

export const letters = new Letters()
