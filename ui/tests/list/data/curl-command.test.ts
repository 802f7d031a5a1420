import { expect, it } from 'vitest'

import { curlCommand } from '../../../src/list/data/curl-command'

// Not a literal, because the types of Node need not be installed.
const CHILD_PROCESS: string = 'node:child_process'
const { execFileSync } = await import(/* @vite-ignore */ CHILD_PROCESS)

const commandOf = (
  url: string,
  name = 'a.bin',
  page: string | null = null,
  headers: [string, string][] = [],
  method = 'GET',
): string => curlCommand({ record: { url, method }, headers }, name, page)

/** Arguments that a shell passes to cURL. */
function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; ${command}`
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
}

it('the command contains the link, the name of the file, and the page', () => {
  expect(commandOf('https://a.example/a.bin?b=1&c=2', 'a.bin', 'https://a.example/')).toBe(
    "curl --location --continue-at - --referer 'https://a.example/' --output 'a.bin' 'https://a.example/a.bin?b=1&c=2'",
  )
})

it('a shell passes every link and name on unchanged', () => {
  for (const text of ["it's", '$(touch x)', '`x`', '"', '\\', '!!', 'a b', 'a\nb', '*', '~', 'ü', "''"]) {
    const url = `https://a.example/${text}`
    expect(argumentsOf(commandOf(url, text)), text).toEqual(['--location', '--continue-at', '-', '--output', text, url])
  }
})

it('a name that begins with a hyphen is no option', () => {
  expect(argumentsOf(commandOf('https://a.example/', '-'))).toContain('./-')
  expect(argumentsOf(commandOf('https://a.example/', '-K'))).toContain('./-K')
})

it('a link with brackets or braces is a single link for cURL', () => {
  for (const url of ['https://a.example/[1-9].jpg', 'https://a.example/{a,b}']) expect(commandOf(url)).toContain('--globoff')
  expect(commandOf('https://a.example/1.jpg')).not.toContain('--globoff')
})

it('a sign-in in a link is left out', () => {
  expect(commandOf('https://robin:secret@a.example/a', 'a', 'https://robin:secret@a.example/')).not.toMatch(/robin|secret/)
})

it('a shell passes every header on unchanged', () => {
  const headers: [string, string][] = [
    ['User-Agent', "it's $(touch x)"],
    ['Accept', ''],
  ]
  const given = argumentsOf(commandOf('https://a.example/', 'a', 'https://page.example/', headers))
  expect(given.slice(3, 9)).toEqual([
    '--referer',
    'https://page.example/',
    '--header',
    "User-Agent: it's $(touch x)",
    '--header',
    'Accept;',
  ])
})

it('the referrer of the request replaces the page, without its sign-in', () => {
  const command = commandOf('https://a.example/', 'a', 'https://page.example/', [['referer', 'https://me:secret@a.example/page']])
  expect(command).toContain("--referer 'https://a.example/page'")
  expect(command).not.toMatch(/page\.example|secret/)
})

it('another method than GET is named', () => {
  expect(commandOf('https://a.example/', 'a', null, [], 'HEAD')).toContain(' --head ')
  expect(commandOf('https://a.example/', 'a', null, [], 'POST')).toContain(" --request 'POST' ")
})
