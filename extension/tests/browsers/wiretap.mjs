// Starts the real native host for the browser, passes all bytes in both directions, and copies the messages to the test.
//
//   node wiretap.mjs SOCKET PROGRAM ARGUMENTS…
import { spawn } from 'node:child_process'
import { connect } from 'node:net'

const [socket, program, ...given] = process.argv.slice(2)
const test = connect(socket)
test.on('error', () => process.exit(1))
const host = spawn(program, given, { stdio: ['pipe', 'pipe', 'inherit'] })

/** Calls `report` with each whole message of a stream of frames. */
function messages(report) {
  let input = Buffer.alloc(0)
  return (part) => {
    input = Buffer.concat([input, part])
    while (input.length >= 4 && input.length >= 4 + input.readUInt32LE(0)) {
      const end = 4 + input.readUInt32LE(0)
      report(input.toString('utf8', 4, end))
      input = input.subarray(end)
    }
  }
}

const asked = messages((text) => test.write(`{"asked":${text}}\n`))
const answered = messages((text) => test.write(`{"answered":${text}}\n`))
process.stdin.on('data', (part) => (asked(part), host.stdin.write(part)))
process.stdin.on('end', () => host.stdin.end())
host.stdout.on('data', (part) => (answered(part), process.stdout.write(part)))
host.stdin.on('error', () => undefined)
host.on('exit', (code) => test.end(() => process.exit(code ?? 1)))
