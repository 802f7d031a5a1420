// Stand-in for the native host program: passes each message of the browser to the test, and each reply back.
//
//   node relay.mjs SOCKET
import { connect } from 'node:net'

const connection = connect(process.argv[2])
let input = Buffer.alloc(0)
process.stdin.on('data', (part) => {
  input = Buffer.concat([input, part])
  while (input.length >= 4 && input.length >= 4 + input.readUInt32LE(0)) {
    const end = 4 + input.readUInt32LE(0)
    connection.write(`${input.toString('utf8', 4, end)}\n`)
    input = input.subarray(end)
  }
})
process.stdin.on('end', () => connection.end())
let output = ''
connection.setEncoding('utf8')
connection.on('data', (part) => {
  output += part
  const lines = output.split('\n')
  output = lines.pop()
  for (const line of lines) {
    // A test can make the host end without an answer, or print something that is not a message.
    if (line === '"exit"' || line === 'exit') process.exit(1)
    if (line === 'garbage') return void process.stdout.write('This is no message.\n')
    const body = Buffer.from(line)
    const length = Buffer.alloc(4)
    length.writeUInt32LE(body.length)
    process.stdout.write(Buffer.concat([length, body]))
  }
})
connection.on('close', () => process.exit(0))
connection.on('error', () => process.exit(1))
