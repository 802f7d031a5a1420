import { expect, test } from 'vitest'

import { isNewer } from '../../src/api/remote/version'
import { isReadable, pairingCode } from '../../src/remote/address'
import { deviceOf } from '../../src/remote/device-name'
import { sharedLinks } from '../../src/remote/shared-links'

test('the pairing code is read from the fragment', () => {
  expect(pairingCode('#pair=Zm9v-_YmFy')).toBe('Zm9v-_YmFy')
  expect(pairingCode('#pair=')).toBeNull()
  expect(pairingCode('#settings')).toBeNull()
  expect(pairingCode('')).toBeNull()
})

test('unencrypted traffic counts as readable by others, except on this computer', () => {
  const of = (address: string): boolean => isReadable(new URL(address))
  expect(['http://nas.example/', 'http://192.168.1.4:6800/', 'http://[fd00::1]/'].map(of)).toEqual([true, true, true])
  expect(['https://nas.example/', 'http://localhost:6800/', 'http://127.0.0.1/', 'http://[::1]:6800/'].map(of)).not.toContain(
    true,
  )
})

test('the device is named after its browser and its system', () => {
  const names: [string, string][] = [
    ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox, Android'],
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
      'Chrome, Android',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari, iPhone',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
      'Edge, Windows',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox, Linux'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15', 'Safari, macOS'],
  ]
  for (const [agent, name] of names) {
    const device = deviceOf(agent)
    expect(`${device?.browser}, ${device?.system}`).toBe(name)
  }
  expect(deviceOf('curl/8.0')).toBeNull()
})

test('shared links are removed from the page address', () => {
  expect(sharedLinks('?shared-url=https%3A%2F%2Fa.example%2F&theme=dark')).toEqual({
    links: ['https://a.example/'],
    rest: '?theme=dark',
  })
  const both = '?shared-title=A&shared-text=See+https%3A%2F%2Fa.example%2Fb&shared-url='
  expect(sharedLinks(both)).toEqual({ links: ['See https://a.example/b'], rest: '' })
  expect(sharedLinks('')).toEqual({ links: [], rest: '' })
})

test('the first different number decides which version is newer', () => {
  expect(isNewer('0.2.0', '0.1.9')).toBe(true)
  expect(isNewer('1.0.0', '0.9.9')).toBe(true)
  expect(isNewer('0.10.0', '0.9.0')).toBe(true)
  expect(isNewer('0.1.0', '0.1.0')).toBe(false)
  expect(isNewer('0.1.0', '0.2.0')).toBe(false)
  expect(isNewer('0.1.1-dev', '0.1.1')).toBe(false)
  expect(isNewer('', '0.1.0')).toBe(false)
})
