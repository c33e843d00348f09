// Incoming reports from the provider's own systems: POST /hooks/KIND/NAME, signed as standardwebhooks.com specifies.
// These are not customer endpoints: they need no key, and the body stays the exact bytes that were signed.
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { receiveDeliveryReport } from '#app/billing/delivery/report-hook.ts';
import { receivePaymentReport } from '#app/billing/payment-hook.ts';
import { receiveNotice } from '#app/payments/notices.ts';
import { detectionRecorder } from '#app/network/detections.ts';
import { createReportReader } from '#app/network/detectors.ts';
import type { App } from '#app/app.ts';
import type { HookHeaders } from '#lib/hook-signature.ts';

interface SignedReport {
  /** Name of the sender in the site file. */
  readonly name: string;
  readonly headers: HookHeaders;
  /** For senders that sign in their own way. */
  readonly allHeaders: IncomingHttpHeaders;
  readonly body: Buffer;
}
/** Verifies the signature and returns the response text. */
type ReceiveReport = (report: SignedReport) => Promise<string>;

/** FastNetMon's text with its packets takes tens of kilobytes. */
const maxDetectionBytes = 256 * 1024;
const maxPaymentBytes = 64 * 1024;
/** Events of payment providers contain whole objects. */
const maxNoticeBytes = 256 * 1024;

export async function addSignedHooks(server: FastifyInstance, app: App): Promise<void> {
  const record = detectionRecorder(app);
  const read = createReportReader(app);
  await addHook(server, 'detector', maxDetectionBytes, async ({ name, headers, body }) => {
    await record(await read(name, headers, body));
    return 'Recorded';
  });
  await addHook(server, 'invoices', maxPaymentBytes, (report) => receiveDeliveryReport(app, report));
  await addHook(server, 'payments', maxPaymentBytes, (report) => receivePaymentReport(app, report));
  await addHook(server, 'payment-notices', maxNoticeBytes, ({ name, allHeaders, body }) =>
    receiveNotice(app, name, allHeaders, body),
  );
}

async function addHook(server: FastifyInstance, kind: string, maxBytes: number, receive: ReceiveReport): Promise<void> {
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
      return {
        success: true,
        results: 1,
        result: await receive({ name: request.params.name, headers, allHeaders: request.headers, body }),
      };
    });
  });
}
