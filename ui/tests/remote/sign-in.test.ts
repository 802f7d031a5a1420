import { describe, expect, it, vi } from 'vitest'

import { Failure } from '../../src/api/api'
import type { FolderList, SignInSecret } from '../../src/api/remote/remote-access'
import { TooManyAttempts } from '../../src/api/remote/session'
import { FolderChoice } from '../../src/remote/folder-choice.svelte'
import { SignIn } from '../../src/remote/sign-in.svelte'

function prepared(answer: (secret: SignInSecret, name: string) => Promise<void> = () => Promise.resolve()) {
  const clock = { now: 1000 }
  const signIn = vi.fn(answer)
  return { clock, signIn, view: new SignIn({ remote: { signIn }, name: 'Firefox on Linux', now: () => clock.now }) }
}

describe('the sign-in view', () => {
  it('the sign-in view proposes a name, and sends the token without surrounding spaces', async () => {
    const { signIn, view } = prepared()
    view.token = ' abc\n'
    view.name = '  '
    await view.submit()
    expect(signIn).toHaveBeenCalledExactlyOnceWith({ token: 'abc' }, 'Firefox on Linux')
    expect(view.token).toBe('')
  })

  it('the sign-in view sends no empty token, and no second attempt while one is running', async () => {
    const { signIn, view } = prepared(() => new Promise(() => undefined))
    await view.submit()
    expect(signIn).not.toHaveBeenCalled()
    view.token = 'abc'
    void view.submit()
    await view.submit()
    expect(signIn).toHaveBeenCalledOnce()
    expect(view.isUnderWay).toBe(true)
  })

  it('the sign-in view keeps a refused token, and shows the failure until the user edits it', async () => {
    const { view } = prepared(() => Promise.reject(new Failure('wrong-secret', 'Wrong')))
    view.token = 'abc'
    await view.submit()
    expect([view.token, view.failure?.code, view.isUnderWay]).toEqual(['abc', 'wrong-secret', false])
    view.edited()
    expect(view.failure).toBeNull()
  })

  it('the sign-in view waits as long as the server demands', async () => {
    const { clock, signIn, view } = prepared(() => Promise.reject(new TooManyAttempts({ code: 'wait', text: 'Wait' }, 8)))
    view.token = 'abc'
    await view.submit()
    expect(view.secondsLeft(1000)).toBe(8)
    clock.now = 8999
    await view.submit()
    expect([view.secondsLeft(clock.now), signIn.mock.calls.length]).toEqual([1, 1])
    clock.now = 9000
    await view.submit()
    expect(signIn).toHaveBeenCalledTimes(2)
  })

  it('a sign-in with a pairing code needs no input, and keeps the typed token', async () => {
    const { signIn, view } = prepared()
    view.token = 'half'
    await view.pair('code')
    expect(signIn).toHaveBeenCalledExactlyOnceWith({ pairing: 'code' }, 'Firefox on Linux')
    expect([view.token, view.isPairing]).toEqual(['half', false])
  })
})

describe('the choice of a folder', () => {
  const TREE: { [path: string]: FolderList } = {
    '': { path: '', parent: null, folders: ['/srv', '/media/disk'] },
    '/srv': { path: '/srv', parent: null, folders: ['films'] },
    '/srv/films': { path: '/srv/films', parent: '/srv', folders: [] },
  }
  const folders = (path: string | null) =>
    path === '/media/disk' ? Promise.reject(new Failure('disk', 'Gone')) : Promise.resolve(TREE[path ?? '']!)

  it('the folder dialog moves down and up in the tree, and returns the chosen path', async () => {
    const choice = new FolderChoice({ folders })
    const answer = choice.choose()
    await vi.waitFor(() => expect(choice.list?.folders).toEqual(['/srv', '/media/disk']))
    choice.submit()
    expect(choice.isOpen).toBe(true)
    choice.enter('/srv')
    await vi.waitFor(() => expect(choice.list?.path).toBe('/srv'))
    choice.enter('films')
    await vi.waitFor(() => expect(choice.list?.path).toBe('/srv/films'))
    await choice.show(choice.list!.parent)
    choice.submit()
    expect(await answer).toBe('/srv')
    expect(choice.isOpen).toBe(false)
  })

  it('the folder dialog opens the only root immediately', async () => {
    const choice = new FolderChoice({
      folders: (path) => Promise.resolve(path === null ? { path: '', parent: null, folders: ['/srv'] } : TREE[path]!),
    })
    void choice.choose()
    await vi.waitFor(() => expect(choice.list?.path).toBe('/srv'))
  })

  it('a closed folder dialog returns null, and a failure keeps the last list of folders', async () => {
    const choice = new FolderChoice({ folders })
    const answer = choice.choose()
    await vi.waitFor(() => expect(choice.list).not.toBeNull())
    await choice.show('/media/disk')
    expect([choice.failure?.text, choice.list?.path]).toEqual(['Gone', ''])
    choice.close()
    expect(await answer).toBeNull()
  })
})
