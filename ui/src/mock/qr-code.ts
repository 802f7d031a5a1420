// Pattern like a QR code, for the simulated invite. Cameras cannot read it.
import type { JoinInvite } from '../api/sync-api'

const SIDE = 45
const QUIET = 4
const FINDER = 7

export function qrCode(): JoinInvite['qr'] {
  let path = ''
  for (let y = 0; y < SIDE; y += 1) {
    for (let x = 0; x < SIDE; x += 1) {
      if (isDark(x, y)) path += `M${x + QUIET} ${y + QUIET}h1v1h-1z`
    }
  }
  return { size: SIDE + 2 * QUIET, path }
}

function isDark(x: number, y: number): boolean {
  const corners = [
    [x, y],
    [SIDE - 1 - x, y],
    [x, SIDE - 1 - y],
  ] as const
  for (const [across, down] of corners) {
    if (across > FINDER || down > FINDER) continue
    if (across === FINDER || down === FINDER) return false
    const ring = Math.max(Math.abs(across - 3), Math.abs(down - 3))
    return ring !== 2
  }
  return (x * 7919 + y * 104_729 + x * y * 31) % 97 < 47
}
