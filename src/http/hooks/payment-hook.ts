// Receives payment reports from payment providers.
import type { FastifyInstance } from 'fastify';
import { receivePaymentReport } from '#app/billing/payment-hook.ts';
import type { App } from '#app/app.ts';
import { addSignedHook } from './signed-hook.ts';

const maxBytes = 64 * 1024;

export async function addPaymentHook(server: FastifyInstance, app: App): Promise<void> {
  await addSignedHook(server, 'payments', maxBytes, (report) => receivePaymentReport(app, report));
}
