// The time of day for "tries again in 40 s", once a second, and only while somebody can see it.

class Clock {
  /** Milliseconds of Unix time. */
  now = $state(Date.now())

  constructor() {
    setInterval(() => {
      if (!document.hidden) this.now = Date.now()
    }, 1000)
    document.addEventListener('visibilitychange', () => (this.now = Date.now()))
  }
}

export const clock = new Clock()
