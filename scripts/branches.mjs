// Reads an llvm-cov export and prints the branch coverage of each file of engine and transfer, worst first. Tests and
// code that is built only for tests or fuzzing do not count.
//
//   node scripts/branches.mjs coverage.json [--missed FILE]
//
// Fails if the total or a file is below its threshold.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const WHOLE = 90
const FILE = 75
const ROOMS = ['crates/engine/', 'crates/transfer/']

const [path, option, wanted] = process.argv.slice(2)
const report = JSON.parse(readFileSync(path, 'utf8'))

// Matches test files by name, and `platform/sync.rs`, which provides locks and timers that tests control.
const isTest = (name) => /(^|\/)(tests?|fuzz)(\/|\.rs$)|_tests\.rs$|engine\/src\/platform\/sync\.rs$/.test(name)

// Line numbers of code that no user runs: tests, and code that is built only for tests or fuzzing.
const unused = (file) => {
  const lines = readFileSync(file, 'utf8').split('\n')
  const within = new Set()
  lines.forEach((line, at) => {
    const begins = /^#\[cfg\((test|debug_assertions)\)\]$/.test(line) && lines.slice(at + 1).findIndex((line) => !/^#/.test(line))
    if (begins === false || !/\{$/.test(lines[at + 1 + begins])) return
    const end = lines.indexOf('}', at)
    for (let number = at + 1; number <= end + 1; number += 1) within.add(number)
  })
  return within
}

// Each instance of a generic function reports its branches. A branch counts as covered if any instance takes it.
const branchesOf = (file) => {
  const known = new Map()
  const without = unused(file.filename)
  for (const [line, column, lineEnd, columnEnd, ifTrue, ifFalse] of file.branches) {
    if (without.has(line)) continue
    const key = `${line}:${column}-${lineEnd}:${columnEnd}`
    const both = known.get(key) ?? { line, column, taken: [0, 0] }
    both.taken[0] += ifTrue
    both.taken[1] += ifFalse
    known.set(key, both)
  }
  return [...known.values()]
}

const percent = (taken, all) => (all === 0 ? 100 : (100 * taken) / all)
const files = report.data[0].files
  .map((file) => ({ name: relative(process.cwd(), file.filename), file }))
  .filter(({ name }) => ROOMS.some((room) => name.startsWith(room)) && !isTest(name))
  .map(({ name, file }) => ({ name, branches: branchesOf(file) }))
  .map(({ name, branches }) => ({
    name,
    all: 2 * branches.length,
    taken: branches.reduce((sum, { taken }) => sum + taken.filter((count) => count > 0).length, 0),
    missed: branches.flatMap(({ line, column, taken }) =>
      [['true', taken[0]], ['false', taken[1]]].filter(([, count]) => count === 0).map(([way]) => `${line}:${column} is never ${way}`)),
  }))

if (option === '--missed') {
  for (const { name, missed } of files.filter(({ name }) => name.includes(wanted ?? ''))) {
    for (const one of missed) console.log(`${name}:${one}`)
  }
  process.exit(0)
}

const rate = ({ taken, all }) => percent(taken, all)
for (const file of files.filter(({ all }) => all > 0).sort((one, other) => rate(one) - rate(other))) {
  console.log(`${rate(file).toFixed(1).padStart(6)} %  ${String(file.taken).padStart(4)} of ${String(file.all).padStart(4)}  ${file.name}`)
}
const sum = files.reduce((sum, { taken, all }) => ({ taken: sum.taken + taken, all: sum.all + all }), { taken: 0, all: 0 })
console.log(`${rate(sum).toFixed(1).padStart(6)} %  ${sum.taken} of ${sum.all} branches of engine and transfer; required: ${WHOLE} %, and ${FILE} % of each file`)
const low = files.filter((file) => rate(file) < FILE)
if (low.length > 0) console.log(`Below ${FILE} %: ${low.map(({ name }) => name).join(', ')}`)
process.exit(rate(sum) < WHOLE || low.length > 0 ? 1 : 0)
