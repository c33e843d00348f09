// Where programs of the provider's own report to us: POST /hooks/KIND/NAME, signed as standardwebhooks.com describes. It is no
// endpoint of customers: it has no key, and the body is kept as the bytes that were signed.
import type { FastifyInstance } from 'fastify';
import type { HookHeaders } from '#kernel/hook-signature.ts';

export interface SignedReport {
  /** Of the sender, as the site file has it. */
  readonly name: string;
  readonly headers: HookHeaders;
  readonly body: Buffer;
}

export async function signedHook(
  server: FastifyInstance,
  kind: string,
  largestBytes: number,
  /** Checks the signature, and answers what the sender is told. */
  take: (report: SignedReport) => Promise<string>,
): Promise<void> {
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) => body);
    scope.post<{ Params: { name: string } }>(`/hooks/${kind}/:name`, { bodyLimit: largestBytes }, async (request) => {
      const header = (name: string): string => String(request.headers[name] ?? '');
      const headers = {
        id: header('webhook-id'),
        timestamp: header('webhook-timestamp'),
        signature: header('webhook-signature'),
      };
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      return { success: true, results: 1, result: await take({ name: request.params.name, headers, body }) };
    });
  });
}
