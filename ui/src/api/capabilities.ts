// Capabilities of the implementations of the API. Views query them and never check the platform. [pure]

export interface Capabilities {
  /** Files can be opened in a program of this computer. Otherwise, `open` saves a copy of the file on this device. */
  readonly openFiles: boolean
  /** Folders can be shown in a file manager. */
  readonly showFolders: boolean
  /** Files can be dragged out of the page. */
  readonly dragFiles: boolean
  /** A desktop dialog chooses files of the computer on which Ashore runs, such as certificates. */
  readonly chooseFiles: boolean
  /** The page can show image files of the computer on which Ashore runs. */
  readonly showPictures: boolean
  /** Web pages can be opened in the browser that is connected with Ashore. */
  readonly openPages: boolean
  /** The computer can sleep or shut down after all downloads have finished. */
  readonly endSession: boolean
  /** Browsers can be connected and paired. */
  readonly connectBrowsers: boolean
  /** Other devices can be allowed to open the page, and can be signed out. */
  readonly connectDevices: boolean
  /** Sync can be set up and used. */
  readonly sync: boolean
  /** The page belongs to the desktop program, with its tray, notifications and clipboard. */
  readonly useDesktop: boolean
  /** Narrow pages use the layout for phones. */
  readonly adaptToPhones: boolean
}

/** Capabilities of the window on the computer on which Ashore runs. */
export const WINDOW_CAPABILITIES: Capabilities = {
  openFiles: true,
  showFolders: true,
  dragFiles: true,
  chooseFiles: true,
  showPictures: true,
  openPages: true,
  endSession: true,
  connectBrowsers: true,
  connectDevices: true,
  sync: true,
  useDesktop: true,
  adaptToPhones: false,
}

/** Capabilities of a browser on any device. */
export const REMOTE_CAPABILITIES: Capabilities = {
  openFiles: false,
  showFolders: false,
  dragFiles: false,
  chooseFiles: false,
  showPictures: false,
  openPages: false,
  endSession: false,
  connectBrowsers: false,
  connectDevices: false,
  sync: false,
  useDesktop: false,
  adaptToPhones: true,
}
