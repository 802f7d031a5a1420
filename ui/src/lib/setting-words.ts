// What each setting is called and what it does, and which of them a search means. [pure] English; like words.ts, the only
// place a translation has to replace.
import type { Setting, SettingGroup, SettingKey } from '../api/api'

export interface SettingWords {
  name: string
  /** One sentence: what it does. */
  about: string
  /** What stands in an empty field. */
  hint?: string
  /** The words of a choice. */
  choices?: Record<string, string>
}

export const SETTING_GROUPS: { [group in SettingGroup]: string } = {
  general: 'General',
  folders: 'Folders',
  network: 'Network',
  schedule: 'Schedule',
  notifications: 'Notifications',
  power: 'Power',
  space: 'Space',
  advanced: 'Advanced',
}

export const SETTING_WORDS: { [key in SettingKey]: SettingWords } = {
  parallel: { name: 'Files at once', about: 'So many files are fetched at the same time.' },
  'parallel-per-host': { name: 'Files at once from one server', about: 'With 1, files of one server come strictly one after the other.' },
  order: {
    name: 'What comes next',
    about: 'Among those that wait. The window, the command line and programs take turns either way.',
    choices: { 'first-come': 'First come, first served', 'newest-first': 'Newest first' },
  },
  'forget-finished-after': {
    name: 'Finished downloads leave the list',
    about: 'After this time, such as 12h, 30d or 4w; their files stay. “never” keeps them until you remove them.',
  },
  'close-to-tray': { name: 'Closing the window keeps Ashore in the tray', about: 'Otherwise it ends, and what was running goes on with the next start.' },
  'start-at-login': { name: 'Start with the desktop', about: 'Hidden in the tray, so that downloads go on as soon as you are there.' },
  folder: { name: 'Download folder', about: 'Files go here unless you choose another folder for them.', hint: 'The desktop’s download folder' },
  connections: { name: 'Connections for one file', about: 'At most so many, and only where more than one makes it faster.' },
  offline: {
    name: 'Without a network',
    about: 'Waiting costs nothing. Go on where your servers are in the house, or where the desktop does not know your network.',
    choices: { wait: 'Wait', go: 'Go on' },
  },
  metered: {
    name: 'Where traffic costs money',
    about: 'On a phone’s network, for example.',
    choices: { wait: 'Wait for another network', go: 'Go on' },
  },
  proxy: {
    name: 'Proxy',
    about: 'For everything, such as http://host:3128 or socks5h://host:1080; “none” for no proxy at all.',
    hint: 'What the desktop’s environment says',
  },
  'no-proxy': { name: 'Without the proxy', about: 'Names and networks that are reached directly, with commas between them.', hint: 'What the desktop’s environment says' },
  'proxy-loopback': { name: 'Proxy for this machine', about: 'Use the proxy for servers on this machine as well.' },
  cookies: { name: 'Cookies', about: 'Send cookies back to the servers that set them, until Ashore ends.' },
  hours: { name: 'Hours', about: 'Choose a speed and paint with it. What you leave as it is goes at full speed.' },
  'slow-speed': { name: 'Speed in slow hours', about: 'Bytes a second for everything together, such as 512K or 2M.' },
  notifications: {
    name: 'What is told',
    about: 'With progress, each download has one notification from its first byte to its end.',
    choices: { all: 'Progress, and how it ended', ended: 'How it ended', none: 'Nothing' },
  },
  'quiet-while-focused': { name: 'Quiet while you look', about: 'Nothing is told while this window has the focus, since it shows the same.' },
  'quiet-hours': {
    name: 'Quiet hours',
    about: 'Each day, such as 22:00-07:00. What ended meanwhile is told once they are over.',
    hint: 'None',
  },
  'all-done': { name: 'Tell when all is done', about: 'Once, when the last of several downloads is over and nothing waits.' },
  'battery-below': { name: 'On battery, stop below', about: 'Nothing is fetched with less charge than this. With 0, as long as there is any.' },
  'in-use': {
    name: 'While somebody works here',
    about: 'Wait until nobody has used this machine for a while, or go on beside it.',
    choices: { wait: 'Wait', go: 'Go on' },
  },
  'free-space-floor': { name: 'Space that stays free', about: 'Nothing starts in a folder with less than this, such as 512M or 20G.' },
  attempts: { name: 'Attempts', about: 'So often is a file tried before Ashore gives up on it.' },
  'retry-after-seconds': { name: 'Wait before the second attempt', about: 'Doubles with every further one, up to six hours.' },
  'stall-seconds': { name: 'A connection is silent after', about: 'Without a single byte for so long, it is given up and tried again.' },
  'connect-timeout-seconds': { name: 'Time to connect', about: 'So long may a server take to answer a new connection.' },
  'total-timeout-seconds': { name: 'Time for one attempt', about: 'What came by then is kept. With 0, as long as it takes.' },
  'checkpoint-seconds': { name: 'Progress is made durable every', about: 'A power cut costs no more than this.' },
  http2: { name: 'HTTP/2', about: 'Many small files from one server share a connection where it speaks it.' },
  'insecure-redirects': { name: 'Redirects to insecure links', about: 'Follow them from https to http. Anybody on the way can then read and change what comes.' },
  'ca-certificate': { name: 'Own certificates', about: 'A PEM file of authorities to trust beside the system’s.', hint: 'None' },
  'user-agent': { name: 'User agent', about: 'What Ashore calls itself to servers.', hint: 'Ashore and its version' },
  referrer: { name: 'Referrer', about: 'The page that links were found on, where they do not bring one themselves.', hint: 'None' },
  netrc: { name: 'Netrc file', about: 'Its passwords are given to servers that ask for one.', hint: 'None' },
  keychain: {
    name: 'Passwords and tokens',
    about: 'Where they are kept. The file can be read by you alone.',
    choices: { auto: 'In the system’s keychain, else in a file', system: 'In the system’s keychain only', file: 'In a file', none: 'Until Ashore ends' },
  },
}

export const settingWords = {
  title: 'Settings',
  open: 'Settings (Ctrl+,)',
  back: 'Back to the list',
  search: 'Search settings',
  nothing: (text: string) => `No setting has to do with “${text}”.`,
  file: 'They are kept in this file, which can be changed by hand as well:',
  lacking: {
    notifications: 'This desktop shows no notifications at the moment. The list says everything that they would.',
    tray: 'This desktop has no tray at the moment: a window that is closed is minimised instead.',
  },
  reset: (name: string) => `${name}: back to the default`,
  choose: 'Choose…',
  seconds: 'seconds',
  percent: '%',
  between: (least: number, most: number) => `${least} to ${most}`,
  paces: { f: 'Full speed', s: 'Slow', o: 'Off' },
  paint: 'Paint',
  rounded: 'The settings file has times that are finer than half hours. Painting rounds them.',
  notFollowed: (first: string, others: number) =>
    `The settings file: ${first}${others === 0 ? '' : others === 1 ? ' There is one more in Settings.' : ` There are ${others} more in Settings.`}`,
  cell: (day: string, from: string, until: string, pace: string) => `${day}, ${from} to ${until}: ${pace}`,
  gridHelp: 'Arrow keys move, Space paints, Shift with arrows paints on.',
} as const

/** Those that every word of `search` is said of. */
export function found(settings: readonly Setting[], search: string): Setting[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean)
  return settings.filter((setting) => {
    const { name, about, choices } = SETTING_WORDS[setting.key]
    const said = [setting.key, name, about, SETTING_GROUPS[setting.group], ...Object.values(choices ?? {})].join(' ').toLowerCase()
    return wanted.every((word) => said.includes(word))
  })
}
