// Checks the code layout for `make lint`: import circles, the folder order, type names, and sizes of folders and files.
// Run it with `node scripts/layout.mjs`.
//
// - Tests and generated files may import everything, but test files count towards the size of their folder.
// - A Rust import counts as an import of the file that defines the name, even through re-exports.
import { existsSync, readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'

const [MOST_FILES, MOST_LINES] = [25, 600]
const UI = 'ui/src'
const EXTENSION = 'extension/src'
/** Folder order: a folder may import from its own group (joined by commas) and from groups to its left. A file counts as a folder. */
const ORDER = {
  'crates/transfer/src': 'failpoint runtime filename model disk rate_limit plan http integrity partial download transfers lib',
  'crates/engine/src':
    'model platform keychain settings folders intake store gates context first_run scheduler startup api list_file lib',
  'crates/desktop/src': 'i18n handles,system engine notifications context tasks window,tray app lib main',
  'crates/sync/src': 'keys records merge server cycle service lib',
  'testkit/src': 'waits own_home processes disks servers results desktop engine program sync_server generated lib',
  [EXTENSION]: 'browser,language host,settings responses handoff links,clicks pages background',
  [UI]: 'api lib,i18n,components list,add,details,settings,statistics,keyboard,power-action,sync,remote,app,mock shell main',
}

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' }).split('\n')
const isGenerated = (path) => path.includes('/api/generated/') || path.startsWith(`${EXTENSION}/generated/`)
const files = listed.filter((path) => /\.(rs|ts|svelte)$/.test(path) && !isGenerated(path) && existsSync(path))
const SOURCE_TREES = new Set(files.flatMap((path) => path.match(/^(?:(?:crates\/)?[\w-]+\/src|src-tauri)(?=\/)/) ?? []))
const problems = []
const types = new Map() // File that defines each public or crate-visible type.
const isTest = (path) => /(^|\/)tests?(\/|\.rs$)|_tests\.rs$|\.test\.ts$|\/fuzz\.rs$/.test(path)
const sources = (root) => files.filter((path) => path.startsWith(`${root}/`) && !isTest(path))

/** Returns Rust source without comments, string contents and test modules. */
function bare(source) {
  const text = source.replace(/\/\/[^\n]*|\/\*[^]*?\*\//g, '').replace(/b?r(#*)"[^]*?"\1|b?"(?:\\[^]|[^"\\])*"/g, '""')
  return text
    .replace(/#\[cfg\((?:all\()?test[^\n]*\]\s*(?:#\[[^\n]*\]\s*)*(?:pub(?:\([^)]*\))? )?mod \w+ \{[^]*?\n\}\n/g, '')
    .replace(/#\[cfg\(test\)\]\s*(?:pub(?:\([^)]*\))? )?(?:use|fn|const)[^]*?(?:;|\n\})\n/g, '')
}

/** Splits `a::{b, c::d as e}` into single paths, each with the name that the path introduces. */
function flatten(tree) {
  const join = (_, prefix, list) => list.replace(/[^\s,][^,]*/g, (item) => prefix + item)
  let flat = tree
  while (flat.includes('{')) flat = flat.replace(/([\w:]*)\{([^{}]*)\}/, join)
  return flat.split(/\s*,\s*/).flatMap((one) => {
    const [path, name] = one.trim().split(/\s+as\s+/)
    const parts = path.split('::').filter((part, at) => part !== 'self' || at === 0)
    return path === '' ? [] : { path: parts, name: name ?? parts.at(-1) }
  })
}

/** Returns the imports of each Rust file. */
function rust(root) {
  const modules = new Map()
  for (const file of sources(root)) {
    const path = file.slice(root.length + 1, -3).split('/')
    if (['mod', 'lib', 'main'].includes(path.at(-1))) path.pop()
    const text = bare(readFileSync(file, 'utf8'))
    for (const [, name] of text.matchAll(/^\s*pub(?:\(crate\))? (?:unsafe )?(?:struct|enum|trait|union|type) (\w+)/gm)) {
      if (types.has(name)) problems.push(`${name} is a type in ${types.get(name)} and in ${file}`)
      types.set(name, file)
    }
    if (file.endsWith('/build.rs') || (path.length === 0 && modules.has(''))) continue
    const uses = [...text.matchAll(/^\s*(pub(?:\([^)]*\))? )?use ([^;]+);/gm)].flatMap(([, vis, tree]) =>
      flatten(tree).map((one) => ({ ...one, isExport: vis !== undefined })),
    )
    const items =
      /^\s*(?:pub\S* )?(?:(?:const |async |unsafe )*fn|struct|enum|trait|type|const|static|union|macro_rules!) (\w+)/gm
    const names = new Set([...text.matchAll(items)].map(([, name]) => name))
    const rest = text.replace(/^\s*(?:pub(?:\([^)]*\))? )?use [^;]+;/gm, '')
    const inline = [...rest.matchAll(/(?<![\w:])(?:crate|super|self)(?:::\w+)+/g)].map(([path]) => path.split('::'))
    const imports = [...uses.filter((use) => !use.isExport).map((use) => use.path), ...inline]
    modules.set(path.join('/'), { file, path, names, imports, exports: uses.filter((use) => use.isExport) })
  }
  const absolute = (module, [first, ...rest]) => {
    if (first === 'crate') return rest
    if (first === 'self') return [...module.path, ...rest]
    if (first === 'super') return absolute({ path: module.path.slice(0, -1) }, rest[0] === 'super' ? rest : ['self', ...rest])
    return modules.has([...module.path, first].join('/')) ? [...module.path, first, ...rest] : null
  }
  /** Returns the file that defines the name of an absolute path. */
  const defining = (path, depth = 0) => {
    let length = path.length
    while (!modules.has(path.slice(0, length).join('/'))) length -= 1
    const module = modules.get(path.slice(0, length).join('/'))
    const name = path[length]
    if (name === undefined || module.names.has(name) || depth > 8) return module
    for (const one of module.exports.filter((use) => use.name === name || use.name === '*')) {
      const next = absolute(module, one.path)
      if (next === null) continue
      const start = one.name === '*' ? [...next.slice(0, -1), name] : next
      const found = defining([...start, ...path.slice(length + 1)], depth + 1)
      if (one.name !== '*' || found.names.has(name)) return found
    }
    return module
  }
  const edges = (module) => {
    const paths = module.imports.map((path) => absolute(module, path)).filter((path) => path !== null)
    return new Set(paths.map((path) => defining(path).file).filter((file) => file !== module.file))
  }
  return new Map([...modules.values()].map((module) => [module.file, edges(module)]))
}

/** Returns the imports of each TypeScript and Svelte file. */
function typescript(root) {
  const imports = (file) =>
    [...readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].flatMap(([, path]) => {
      const target = join(dirname(file), path)
      return ['', '.ts', '.svelte', '.svelte.ts', '/index.ts'].map((end) => target + end).find((path) => own.has(path)) ?? []
    })
  const own = new Set(sources(root))
  return new Map([...own].map((file) => [file, new Set(imports(file))]))
}

/** Returns each group of nodes that can all reach each other, as text. */
function circles(edges) {
  const reached = new Map()
  for (const [node, to] of edges) {
    const seen = new Set()
    const visit = (next) => seen.has(next) || (seen.add(next), edges.get(next).forEach((other) => visit(other)))
    to.forEach((next) => visit(next))
    reached.set(node, seen)
  }
  const group = ([node, seen]) => [...seen].filter((other) => reached.get(other).has(node))
  const inCircles = [...reached].filter(([node, seen]) => seen.has(node))
  return new Set(inCircles.map((one) => group(one).sort().join(', ')))
}

for (const root of SOURCE_TREES) {
  const edges = root === UI || root === EXTENSION ? typescript(root) : rust(root)
  const folder = (file) => file.slice(root.length + 1).replace(/[/.].*/, '')
  for (const group of circles(edges)) problems.push(`${root}: files import each other: ${group.replaceAll(`${root}/`, '')}`)
  const byFolder = new Map([...edges.keys()].map((file) => [folder(file), new Set()]))
  const rank = new Map(ORDER[root]?.split(' ').flatMap((group, at) => group.split(',').map((name) => [name, at])))
  for (const name of rank.size > 0 ? byFolder.keys() : []) if (!rank.has(name)) problems.push(`${root}: ${name} is not in ORDER`)
  for (const [from, to] of edges)
    for (const file of to) {
      if (folder(file) !== folder(from)) byFolder.get(folder(from)).add(folder(file))
      if (rank.get(folder(file)) > rank.get(folder(from))) problems.push(`${from} imports ${file}, which stands to its right`)
    }
  if (root !== UI) for (const group of circles(byFolder)) problems.push(`${root}: folders import each other: ${group}`)
}

const size = (folder) => files.filter((path) => dirname(path) === folder).length
for (const folder of new Set(files.map((path) => dirname(path))))
  if (size(folder) > MOST_FILES) problems.push(`${folder} has ${size(folder)} files, and ${MOST_FILES} are the most`)
const lines = (path) => readFileSync(path, 'utf8').split('\n').length - 1
for (const path of files) if (lines(path) > MOST_LINES) problems.push(`${path} has more than ${MOST_LINES} lines`)

if (problems.length > 0) console.log([...problems, `scripts/layout.mjs: ${problems.length} problems with the layout.`].join('\n'))
process.exit(Math.min(problems.length, 1))
