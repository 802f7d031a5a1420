// What the bench asks of the page, in the page: when what a key or a press changed is painted, and how long frames take.
window.bench = (() => {
  /** When the next frame has been painted: what is posted in it comes after it. */
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
  // Not the click: what closes when the button is let go may be gone before there is one.
  addEventListener('pointerup', (event) => void answer(event.timeStamp), true)

  return {
    /** All answers so far, milliseconds; as soon as there are `count`. */
    async answers(count) {
      while (answers.length < count) await new Promise((done) => (waiting = done))
      return answers
    },

    /** Milliseconds from frame to frame, while the list goes down `step` pixels in each. */
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

    /** What can be seen of the list. */
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
