// Merges the shapes of a Lucide icon into one SVG path, so that an icon in a row needs only one element. [pure]
import type { IconNode } from 'lucide'

/** Path data that draws these shapes. Throws for filled or unknown shapes. */
export function outline(icon: IconNode): string {
  return icon.map(([shape, attributes]) => drawn(shape, attributes)).join('')
}

function drawn(shape: string, attributes: { [name: string]: string | number | undefined }): string {
  if (attributes['fill'] !== undefined) throw new Error(`a filled ${shape} is no line`)
  const number = (name: string): number => Number(attributes[name] ?? 0)
  switch (shape) {
    case 'path':
      // Start at the origin: a relative first move would start at the end of the previous shape (SVG 2, section 9.3.3).
      return `M0 0${attributes['d']}`
    case 'line':
      return `M${number('x1')} ${number('y1')}L${number('x2')} ${number('y2')}`
    case 'polyline':
      return `M${attributes['points']}`
    case 'polygon':
      return `M${attributes['points']}z`
    case 'circle':
      return ellipse(number('cx'), number('cy'), number('r'), number('r'))
    case 'ellipse':
      return ellipse(number('cx'), number('cy'), number('rx'), number('ry'))
    case 'rect':
      return rounded(
        number('x'),
        number('y'),
        number('width'),
        number('height'),
        number(attributes['rx'] === undefined ? 'ry' : 'rx'),
      )
    default:
      throw new Error(`no line is known for ${shape}`)
  }
}

function ellipse(x: number, y: number, rx: number, ry: number): string {
  return `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0z`
}

function rounded(x: number, y: number, width: number, height: number, r: number): string {
  const corner = (right: number, down: number): string => (r === 0 ? '' : `a${r} ${r} 0 0 1 ${right * r} ${down * r}`)
  const [across, along] = [width - 2 * r, height - 2 * r]
  return `M${x + r} ${y}h${across}${corner(1, 1)}v${along}${corner(-1, 1)}h${-across}${corner(-1, -1)}v${-along}${corner(1, -1)}z`
}
