// Builds the elements of the pages. All text from pages, servers and Ashore is inserted as text nodes only.

export type Child = Node | string | null | false

type Properties = Readonly<Record<string, string | number | boolean | null | ((event: Event) => void)>>

/** Creates an element. `on…` properties are listeners; `true` sets an empty attribute, `false` and null set none. */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(key.slice(2), value)
    else if (value !== false && value !== null) element.setAttribute(key, value === true ? '' : String(value))
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== false))
  return element
}

/** Returns an on/off switch that takes effect at once. */
export function toggle(label: string, isOn: boolean, change: (isOn: boolean) => void): HTMLElement {
  const input = el('input', { type: 'checkbox', role: 'switch', checked: isOn, onchange: () => change(input.checked) })
  return el('label', { class: 'toggle' }, el('span', {}, label), input)
}

export function button(
  label: string,
  weight: 'primary' | 'plain',
  press: () => void,
  name: string | null = null,
): HTMLButtonElement {
  return el('button', { type: 'button', class: weight, 'aria-label': name, onclick: press }, label)
}
