// Current time for texts such as "tries again in 40 s". Updated once a second, and only while the page is visible.

class Clock {
  /** Current time in milliseconds of Unix time. */
  now = $state(Date.now())

  constructor() {
    setInterval(() => {
      if (!document.hidden) this.now = Date.now()
    }, 1000)
    document.addEventListener('visibilitychange', () => (this.now = Date.now()))
  }
}

export const clock = new Clock()
