// How large the person's letters are, so that what has to be counted in pixels grows with them. Everything else is given in
// `rem` and grows by itself.

/** Pixels of letters of the usual size. */
const USUAL = 16

class Letters {
  /** 1 for letters of the usual size, 2 for those of twice the size. */
  scale = $state(1)

  constructor() {
    // Nothing else tells that it is another: a box of that size does.
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
