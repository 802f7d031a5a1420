// Runs in the page and measures it for the bench: the time from a key or a press until its change is painted, and the
// duration of frames.
window.bench = (() => {
  /** Returns the time when the next frame was painted: a message posted within a frame arrives after it. */
  const painted = () =>
    new Promise((done) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => done(performance.now())
        port2.postMessage(null)
      })
    })

  const answers = []
  let waiting = null
  let pressed = 0

  async function answer(from) {
    answers.push((await painted()) - from)
    waiting?.()
  }

  addEventListener('keydown', (event) => (pressed = event.timeStamp), true)
  addEventListener('input', () => void answer(pressed), true)
  // `pointerup` instead of `click`: an element that closes when the button is released may be gone before the click.
  addEventListener('pointerup', (event) => void answer(event.timeStamp), true)

  return {
    /** Returns all response times so far in milliseconds, as soon as there are `count`. */
    async answers(count) {
      while (answers.length < count) await new Promise((done) => (waiting = done))
      return answers
    },

    /** Returns the milliseconds between frames, while the list scrolls down by `step` pixels in each frame. */
    frames(count, step) {
      const list = document.querySelector('[data-testid=list]')
      const times = []
      return new Promise((done) => {
        const next = (now) => {
          times.push(now)
          if (times.length > count) return done(times.slice(1).map((time, place) => time - times[place]))
          if (step > 0) list.scrollTop += step
          requestAnimationFrame(next)
        }
        requestAnimationFrame(next)
      })
    },

    /** Returns the visible part of the list. */
    seen() {
      const box = document.querySelector('[data-testid=list]')
      const rows = [...(box?.querySelectorAll('[data-testid=row]') ?? [])]
      const inSight = rows.filter((row) => {
        const { top, bottom } = row.getBoundingClientRect()
        const around = box.getBoundingClientRect()
        return bottom > around.top && top < around.bottom
      })
      return {
        count: document.querySelector('[data-testid=shown]')?.textContent.trim() ?? '',
        offset: box?.scrollTop ?? 0,
        rows: inSight.map((row) => ({ title: row.ariaLabel.split(',')[0], said: row.textContent, state: row.dataset.state })),
      }
    },
  }
})()
