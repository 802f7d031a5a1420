// Links that another program of this device shared with the installed page. The manifest names the parameters. [pure]

const SHARED = ['shared-url', 'shared-text', 'shared-title']

/** Texts of the shared parameters without empty ones and repetitions, and the query without these parameters. */
export function sharedLinks(search: string): { links: string[]; rest: string } {
  const parameters = new URLSearchParams(search)
  // Programs share a link as the address or in the text. A title alone is no link.
  const links = SHARED.slice(0, 2).flatMap((name) => parameters.get(name)?.trim() || [])
  for (const name of SHARED) parameters.delete(name)
  const rest = parameters.size > 0 ? `?${parameters}` : ''
  return { links: links.filter((link, at) => !links.slice(0, at).some((other) => link.includes(other))), rest }
}
