// Incoming reports from the provider's own systems: POST /hooks/KIND/NAME, signed as standardwebhooks.com specifies.
// These are not customer endpoints: they need no key, and the body stays the exact bytes that were signed.
import type { FastifyInstance } from 'fastify';
import type { HookHeaders } from '#lib/hook-signature.ts';

export interface SignedReport {
  /** Name of the sender in the site file. */
  readonly name: string;
  readonly headers: HookHeaders;
  readonly body: Buffer;
}

export async function addSignedHook(
  server: FastifyInstance,
  kind: string,
  maxBytes: number,
  /** Verifies the signature and returns the response text. */
  receive: (report: SignedReport) => Promise<string>,
): Promise<void> {
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) => body);
    scope.post<{ Params: { name: string } }>(`/hooks/${kind}/:name`, { bodyLimit: maxBytes }, async (request) => {
      const header = (name: string): string => String(request.headers[name] ?? '');
      const headers = {
        id: header('webhook-id'),
        timestamp: header('webhook-timestamp'),
        signature: header('webhook-signature'),
      };
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      return { success: true, results: 1, result: await receive({ name: request.params.name, headers, body }) };
    });
  });
}
