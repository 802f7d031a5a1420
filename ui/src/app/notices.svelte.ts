// Short notices at the bottom of the window. Failures stay until they are dismissed; confirmations disappear after a
// while.
import { Failure } from '../api/api'
import { words } from '../i18n/labels'

export interface Notice {
  key: number
  text: string
  isTrouble: boolean
}

const AT_ONCE = 3
const SHOWN_FOR = 4000

export class Notices {
  shown = $state.raw<readonly Notice[]>([])
  #last = 0

  say(text: string): void {
    const notice = this.#add({ text, isTrouble: false })
    setTimeout(() => this.dismiss(notice.key), SHOWN_FOR)
  }

  fail(thrown: unknown): void {
    const text = words.sentence(Failure.of(thrown))
    if (this.shown.some((notice) => notice.text === text)) return
    this.#add({ text, isTrouble: true })
  }

  dismiss(key: number): void {
    this.shown = this.shown.filter((notice) => notice.key !== key)
  }

  dismissAll(): void {
    this.shown = []
  }

  #add(notice: Omit<Notice, 'key'>): Notice {
    const added = { ...notice, key: ++this.#last }
    this.shown = [...this.shown, added].slice(-AT_ONCE)
    return added
  }
}
