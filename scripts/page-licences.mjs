// Checks that deny.toml allows the licences of all packages of the page and its build. cargo-deny does the same for the
// programs.
//
//   node scripts/page-licences.mjs target/audit/ashore-page.cdx.json
//
// Fails if a licence is missing or not allowed.
import { readFileSync } from 'node:fs'

// Packages that state their licence only in a file. Every run checks the text of this file.
const BY_FILE = { 'svelte-toolbelt': ['MIT', /^MIT License\n/] }

// Permissive licence that is also allowed. Only a build tool that is not shipped has this licence.
const OF_TOOLS = ['BlueOak-1.0.0']

const [, list] = /^allow = \[([^\]]*)\]/m.exec(readFileSync('deny.toml', 'utf8'))
const allowed = new Set([...OF_TOOLS, ...[...list.matchAll(/"([^"]+)"/g)].map(([, one]) => one)])

// For "A OR B", at least one of the licences must be allowed. Other expressions need a manual review.
const isAllowed = (expression) => expression.replace(/^\((.*)\)$/, '$1').split(' OR ').some((one) => allowed.has(one))

const licencesOf = ({ name, licenses = [] }) => {
  const stated = licenses.map(({ expression, license }) => expression ?? license?.id ?? license?.name)
  const [licence, text] = BY_FILE[name] ?? []
  return stated.length === 0 && text?.test(readFileSync(`ui/node_modules/${name}/LICENSE`, 'utf8')) ? [licence] : stated
}

const { components } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const refused = components.filter((one) => {
  const licences = licencesOf(one)
  return licences.length === 0 || !licences.every(isAllowed)
})
for (const one of refused) console.error(`${one.name} ${one.version}: ${licencesOf(one).join(', ') || 'no licence'} is not allowed by deny.toml`)
if (components.length === 0) console.error('The list of packages is empty. Run `npm --prefix ui ci`, then try again.')
process.exit(refused.length === 0 && components.length > 0 ? 0 : 1)
