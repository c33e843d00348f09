// Where payment providers report what was paid.
import type { FastifyInstance } from 'fastify';
import { paymentReport } from '#app/billing/payment-hook.ts';
import type { Yard } from '#app/yard.ts';
import { signedHook } from './signed-hook.ts';

const largestBytes = 64 * 1024;

export async function paymentHook(server: FastifyInstance, yard: Yard): Promise<void> {
  await signedHook(server, 'payments', largestBytes, (report) => paymentReport(yard, report));
}
