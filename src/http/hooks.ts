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
import { budgetNetwork } from '#lib/addresses.ts';
import { ApiError } from '#lib/api-error.ts';
import type { HookReport } from '#lib/hook-signature.ts';
import { createFailureBudget } from './failure-budget.ts';

interface SignedReport extends HookReport {
  /** For senders that sign in their own way. */
  readonly allHeaders: IncomingHttpHeaders;
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
  const budget = createFailureBudget();
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) => body);
    // Before the body is read.
    scope.addHook('onRequest', async ({ ip }) => budget.require(budgetNetwork(ip)));

    function addSignedHook(kind: string, bodyLimit: number, receive: ReceiveReport): void {
      scope.post<{ Params: { name: string } }>(`/hooks/${kind}/:name`, { bodyLimit }, async (request) => {
        const header = (name: string): string => String(request.headers[name] ?? '');
        const headers = {
          id: header('webhook-id'),
          timestamp: header('webhook-timestamp'),
          signature: header('webhook-signature'),
        };
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        try {
          const result = await receive({ name: request.params.name, headers, allHeaders: request.headers, body });
          return { success: true, results: 1, result };
        } catch (error) {
          if (error instanceof ApiError && error.code === 'unauthenticated') budget.count(budgetNetwork(request.ip));
          throw error;
        }
      });
    }
    addSignedHook('detector', maxDetectionBytes, async (report) => {
      await record(await read(report));
      return 'Recorded';
    });
    addSignedHook('invoices', maxPaymentBytes, (report) => receiveDeliveryReport(app, report));
    addSignedHook('payments', maxPaymentBytes, (report) => receivePaymentReport(app, report));
    addSignedHook('payment-notices', maxNoticeBytes, ({ name, allHeaders, body }) =>
      receiveNotice(app, name, allHeaders, body),
    );
  });
}
