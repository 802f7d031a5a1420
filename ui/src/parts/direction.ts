// Which way the page is written. The building blocks of menus and pages have to be told.

export function direction(): 'ltr' | 'rtl' {
  return document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'
}
