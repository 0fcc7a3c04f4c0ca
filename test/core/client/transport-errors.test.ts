import { describe, expect, it } from 'vitest';
import { InterruptedError } from '../../../src/base/errors.ts';
import { errorFromTransport } from '../../../src/core/client/error-mapping.ts';
import { TransportError } from '../../../src/core/client/transport-error.ts';

const failure = (name: string, code: string) => Object.assign(new Error('words'), { name, code });

const errorOf = (error: Error, { sent = false, signal }: { sent?: boolean; signal?: AbortSignal } = {}) =>
  errorFromTransport(TransportError.from(error, sent, null), 'api.example.com', signal);

const CLOSED = 'closed the connection before the response was complete';

describe('a request without a response', () => {
  it.each([
    ['RequestError', 'ECONNRESET', true, `${CLOSED} (ECONNRESET)`],
    ['RequestError', 'ECONNRESET', false, 'could not be reached (ECONNRESET)'],
    ['RequestError', 'EPROTO', false, 'failed the TLS handshake (EPROTO)'],
    ['RequestError', 'ETIMEDOUT', true, 'did not respond in time (ETIMEDOUT)'],
    ['TimeoutError', 'ESOCKETTIMEDOUT', true, 'did not respond in time (ESOCKETTIMEDOUT)'],
  ])('with %s %s, sent: %s, says that the host %s', (name, code, sent, words) => {
    const error = errorOf(failure(name, code), { sent });
    expect([error.message, error.retryable]).toEqual([`api.example.com ${words}.`, true]);
  });

  it('to an unknown host names the host', () => {
    const { message } = errorOf(failure('RequestError', 'ENOTFOUND'));
    expect(message).toBe('Cannot resolve host api.example.com (ENOTFOUND).');
  });

  it.each(['127.0.0.1:4010', 'localhost:4010', '[::1]:4010'])('over TLS to %s suggests http://', (host) => {
    const error = TransportError.from(failure('RequestError', 'EPROTO'), false, null);
    expect(errorFromTransport(error, host)).toMatchObject({
      hint: `Nothing was sent. The service may not use TLS: try http://${host}.`,
      retryable: false,
    });
  });

  it.each([
    ['AbortError', 'ERR_ABORTED'],
    ['RequestError', 'ABORT_ERR'],
  ])('that ends with %s %s throws the reason of its signal', (name, code) => {
    const reason = new InterruptedError('SIGTERM');
    expect(errorOf(failure(name, code), { signal: AbortSignal.abort(reason) })).toBe(reason);
    expect(errorOf(failure(name, code))).toMatchObject({ code: 'interrupted', signal: 'SIGINT' });
  });

  it.each([
    ['CERT_HAS_EXPIRED', 'expired or not yet valid'],
    ['CERT_NOT_YET_VALID', 'expired or not yet valid'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'for a different host'],
    ['HOSTNAME_MISMATCH', 'for a different host'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'set NODE_EXTRA_CA_CERTS'],
  ])('with a certificate error is not retryable, and has a hint: %s', (code, words) => {
    const error = errorOf(failure('RequestError', code));
    expect([error.hint, error.retryable]).toEqual([expect.stringContaining(words), false]);
  });
});
