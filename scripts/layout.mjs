// Checks the code layout: no import cycles, no imports against the folder order, and at most 25 files per folder.
// Called by `make lint`.
//
//   node scripts/layout.mjs
//
// - Tests are exempt: they may import everything.
// - An import counts for the file that defines the name, even through re-exports.
import { readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'

const MOST_FILES = 25
/** Folder order: a folder may import from itself and from folders to its left. Files without a folder count as folders. */
const ORDER = {
  'crates/transfer/src': 'failpoint runtime filename model disk rate_limit plan http integrity partial download transfers lib',
  'crates/engine/src':
    'model platform keychain settings folders intake store gates context first_run scheduler startup api list_file lib',
}
/** Source trees to check. */
const ROOTS = ['transfer', 'engine', 'rpc', 'terminal', 'cli', 'pipe'].map((name) => `crates/${name}/src`)

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n')
const problems = []
const isTest = (path) => /(^|\/)tests?(\/|\.rs$)|_tests\.rs$|\/fuzz\.rs$|\/generated\//.test(path)

/** Returns Rust source without comments, string contents and test modules. */
function bare(source) {
  const text = source.replace(/\/\/[^\n]*|\/\*[^]*?\*\//g, '').replace(/b?r(#*)"[^]*?"\1|b?"(?:\\[^]|[^"\\])*"/g, '""')
  return text
    .replace(/#\[cfg\((?:all\()?test[^\n]*\]\s*(?:#\[[^\n]*\]\s*)*(?:pub(?:\([^)]*\))? )?mod \w+ \{[^]*?\n\}\n/g, '')
    .replace(/#\[cfg\(test\)\]\s*(?:pub(?:\([^)]*\))? )?(?:use|fn|const)[^]*?(?:;|\n\})\n/g, '')
}

/** Flattens `a::{b, c::d as e}` to its paths, each with the name that it introduces. */
function flatten(tree) {
  const tokens = tree.match(/::|[{},*]|\w+/g) ?? []
  let at = 0
  const walk = (prefix) => {
    const paths = []
    let path = prefix
    for (; at < tokens.length && tokens[at] !== '}' && tokens[at] !== ','; at += 1) {
      if (tokens[at] === '{') {
        for (at += 1; tokens[at] !== '}';) {
          paths.push(...walk(path))
          if (tokens[at] === ',') at += 1
        }
        path = null
      } else if (tokens[at] === 'as') return ((at += 2), [{ path, name: tokens[at - 1] }])
      else if (tokens[at] !== '::' && tokens[at] !== 'self') path = [...path, tokens[at]]
      else if (tokens[at] === 'self' && path.length === 0) path = ['self']
    }
    return path === null ? paths : [{ path, name: path.at(-1) }]
  }
  return walk([])
}

function rust(root) {
  const modules = new Map()
  for (const file of tracked.filter((path) => path.startsWith(`${root}/`) && path.endsWith('.rs') && !isTest(path))) {
    const path = file
      .slice(root.length + 1, -3)
      .split('/')
      .filter((part, at, all) => at < all.length - 1 || !['mod', 'lib', 'main'].includes(part))
    if (file.endsWith('/build.rs') || (path.length === 0 && modules.has(''))) continue
    const text = bare(readFileSync(file, 'utf8'))
    const uses = [...text.matchAll(/^\s*(pub(?:\([^)]*\))? )?use ([^;]+);/gm)].flatMap(([, vis, tree]) =>
      flatten(tree).map((one) => ({ ...one, isExport: vis !== undefined })),
    )
    const names = new Set(
      [
        ...text.matchAll(
          /^\s*(?:pub(?:\([^)]*\))? )?(?:(?:const |async |unsafe )*fn|struct|enum|trait|type|const|static|union|macro_rules!) (\w+)/gm,
        ),
      ].map(([, name]) => name),
    )
    const inline = [
      ...text.replace(/^\s*(?:pub(?:\([^)]*\))? )?use [^;]+;/gm, '').matchAll(/(?<![\w:])(crate|super|self)((?:::\w+)+)/g),
    ].map(([, first, rest]) => ({ path: [first, ...rest.slice(2).split('::')], isExport: false }))
    modules.set(path.join('/'), { file, path, uses, names, inline })
  }
  const absolute = (module, path) => {
    if (path[0] === 'crate') return path.slice(1)
    let up = 0
    while (path[up] === 'super') up += 1
    if (up > 0) return [...module.path.slice(0, module.path.length - up), ...path.slice(up)]
    if (path[0] === 'self') return [...module.path, ...path.slice(1)]
    return modules.has([...module.path, path[0]].join('/')) ? [...module.path, ...path] : null
  }
  /** Returns the file that defines the name of an absolute path. */
  const defining = (path, depth = 0) => {
    let length = path.length
    while (!modules.has(path.slice(0, length).join('/'))) length -= 1
    const module = modules.get(path.slice(0, length).join('/'))
    const name = path[length]
    if (name === undefined || module.names.has(name) || depth > 8) return module
    for (const one of module.uses.filter((use) => use.isExport && (use.name === name || use.name === '*'))) {
      const next = absolute(module, one.path)
      if (next === null) continue
      const found = defining(
        one.name === '*' ? [...next.slice(0, -1), name, ...path.slice(length + 1)] : [...next, ...path.slice(length + 1)],
        depth + 1,
      )
      if (one.name !== '*' || found.names.has(name)) return found
    }
    return module
  }
  const edges = new Map()
  for (const module of modules.values()) {
    const to = [...module.uses.filter((use) => !use.isExport), ...module.inline]
      .map(({ path }) => absolute(module, path))
      .filter((path) => path !== null)
      .map((path) => defining(path).file)
    edges.set(module.file, new Set(to.filter((file) => file !== module.file)))
  }
  return edges
}

/** Returns strongly connected groups of more than one file (Tarjan). */
function circles(edges) {
  const [index, low, stack, found] = [new Map(), new Map(), [], []]
  const visit = (node) => {
    index.set(node, index.size)
    low.set(node, index.get(node))
    stack.push(node)
    for (const next of edges.get(node) ?? []) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)))
    }
    if (low.get(node) === index.get(node)) {
      const group = stack.splice(stack.indexOf(node))
      if (group.length > 1) found.push(group)
    }
  }
  for (const node of edges.keys()) if (!index.has(node)) visit(node)
  return found
}

for (const root of ROOTS) {
  const edges = rust(root)
  for (const group of circles(edges))
    problems.push(
      `${root}: ${group.length} files import each other: ${group.map((file) => file.slice(root.length + 1)).join(', ')}`,
    )
  const folder = (file) =>
    file
      .slice(root.length + 1)
      .split('/')[0]
      .replace(/\.rs$/, '')
  const byFolder = new Map()
  for (const [from, to] of edges)
    for (const file of to)
      if (folder(from) !== folder(file)) byFolder.set(folder(from), (byFolder.get(folder(from)) ?? new Set()).add(folder(file)))
  for (const group of circles(byFolder)) problems.push(`${root}: folders import each other: ${group.join(', ')}`)
  if (ORDER[root] === undefined) continue
  const rank = new Map(ORDER[root].split(' ').map((name, at) => [name, at]))
  for (const [from, to] of edges) {
    for (const file of to) {
      const [left, right] = [rank.get(folder(file)), rank.get(folder(from))]
      if (left === undefined || right === undefined || (left >= right && folder(file) !== folder(from)))
        problems.push(`${from} imports ${file}, which stands to its right`)
    }
  }
}

const sizes = new Map()
for (const path of tracked.filter((path) => path.endsWith('.rs') && ROOTS.some((root) => path.startsWith(`${root}/`))))
  sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1)
for (const [folder, size] of sizes)
  if (size > MOST_FILES) problems.push(`${folder} has ${size} files, and ${MOST_FILES} are the most`)

for (const problem of problems) console.log(problem)
if (problems.length > 0) console.log(`scripts/layout.mjs: ${problems.length} problems with the layout.`)
process.exit(problems.length > 0 ? 1 : 0)
