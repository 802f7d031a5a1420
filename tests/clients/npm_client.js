// Uses the interface through the npm package `aria2`, over a WebSocket and over HTTP.
//
// Arguments: the port, the secret, and the address of a web server that has the file `/ok`. Exits with 1 if a check fails.

const assert = require('node:assert/strict')
const Aria2 = require('aria2')

const [port, secret, web] = process.argv.slice(2)

/** Downloads a file, and checks its notifications and its status. */
async function download(client) {
  const told = []
  const ended = new Promise((resolve) => client.on('onDownloadComplete', resolve))
  client.on('onDownloadStart', ([{ gid }]) => told.push(['start', gid]))
  const gid = await client.call('addUri', [`${web}/ok`], { out: 'npm.bin' })
  told.push(['end', (await ended)[0].gid])
  assert.deepEqual(told, [['start', gid], ['end', gid]])
  const status = await client.call('tellStatus', gid, ['status', 'completedLength', 'totalLength'])
  assert.equal(status.status, 'complete')
  assert.equal(status.completedLength, status.totalLength)
}

async function main() {
  const client = new Aria2({ host: '127.0.0.1', port: Number(port), secret })
  await client.open()
  await download(client)
  const [[version], missing] = await client.multicall([['getVersion'], ['tellStatus', '1']])
  assert.equal(missing.message, 'GID 1 is not found')
  const batch = await Promise.all(await client.batch([['getVersion'], ['getGlobalStat']]))
  assert.deepEqual(batch[0], version)
  assert.ok((await client.listMethods()).includes('addUri'))
  assert.ok((await client.listNotifications()).includes('onDownloadStart'))
  await client.close()
  // Without an open WebSocket, the package sends its calls over HTTP.
  const closed = new Aria2({ host: '127.0.0.1', port: Number(port), secret })
  assert.deepEqual(await closed.call('getVersion'), version)
  const stranger = new Aria2({ host: '127.0.0.1', port: Number(port), secret: 'wrong' })
  await assert.rejects(stranger.call('getVersion'), { message: 'Unauthorized' })
}

main().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
