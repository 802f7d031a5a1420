// Carries out engine calls on an implementation of the API. This is the opposite of `src/api/engine-calls.ts`.
//
// The servers of the tests use it with the simulated engine.
import { type Api, Failure } from '../../src/api/api'
import type { MethodCall } from '../../src/api/generated/MethodCall'

/** Carries out a call and resolves to its answer. Rejects with a `Failure`, as the API does. */
export function carryOut(api: Api, call: MethodCall): Promise<unknown> {
  switch (call.method) {
    case 'add':
      return api.add(call.params)
    case 'list':
      return api.list(call.params)
    case 'search':
      return api.search(call.params.text)
    case 'show':
      return api.show(call.params.unique_id)
    case 'records':
      return api.records(call.params.unique_id, call.params.from, call.params.limit)
    case 'details':
      return api.details(call.params.unique_id, call.params.index)
    case 'segments':
      return api.segments(call.params.unique_id)
    case 'abort':
      return api.abort(call.params.unique_id)
    case 'pause':
      return api.pause(call.params.unique_id)
    case 'resume':
      return api.resume(call.params.unique_id)
    case 'move':
      return api.move(call.params.unique_id, call.params.place)
    case 'update_ui':
      return api.rename(call.params.unique_id, call.params.title ?? '')
    case 'retry':
      return api.retry(call.params.unique_id)
    case 'remove':
      return api.remove(call.params.unique_id, call.params.files)
    case 'limit': {
      const { scope, bytes_per_second } = call.params
      return api.limit(scope.type === 'registration' ? scope.unique_id : null, bytes_per_second)
    }
    case 'limits':
      return api.limits()
    case 'totals':
      return api.totals()
    case 'statistics':
      return api.statistics(call.params.days)
    case 'understand':
      return api.understand(call.params.text)
    case 'probe':
      return api.probe(call.params)
    case 'let_go':
      return api.letGo(call.params.probe)
    case 'known':
      return api.known(call.params.links, call.params.folder ?? null, call.params.name ?? null)
    case 'put_into':
      return api.putInto(call.params.unique_id, call.params.folder)
    case 'relink':
      return api.relink(call.params.unique_id, call.params.index, call.params.url, call.params.headers ?? null)
    case 'go_anyway':
      return api.goAnyway(call.params.unique_id)
    case 'sign_in':
      return api.signIn(call.params.url, call.params.sign_in, call.params.lasting)
    case 'give_cookies':
      return api.giveCookies(call.params.url, call.params.cookies, call.params.lasting)
    case 'sentences':
      return api.sentences(call.params.language)
    case 'recovery':
      return api.recovery()
    case 'acknowledge_recovery':
      return api.recoverySeen()
    case 'orphans':
      return api.orphans()
    case 'kept_files':
      return api.keptFiles()
    case 'adopt':
      return api.adopt(call.params.partials)
    case 'settings':
      return api.settings()
    case 'set':
      return api.set(call.params.key, call.params.value ?? null)
    default:
      return Promise.reject(new Failure('unknown-method', `No method ${call.method}`))
  }
}
