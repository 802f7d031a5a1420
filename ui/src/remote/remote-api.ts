// Implementation of the API for a page in a browser, with its environment and its texts.
import type { Api } from '../api/api'
import { httpApi } from '../api/http'
import { browserWorld } from './browser-world'
import { remoteWords } from './remote-labels'

export function remoteApi(): Api {
  return httpApi(browserWorld(), {
    lost: () => remoteWords.failures.lost,
    signedOut: () => remoteWords.failures.signedOut,
    tooLarge: () => remoteWords.failures.tooLarge,
    unavailable: () => remoteWords.failures.unavailable,
  })
}
