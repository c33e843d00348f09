// Where detectors report attacks.
import type { FastifyInstance } from 'fastify';
import { detectionRecorder } from '#app/network/detections.ts';
import { hookReports } from '#app/network/detectors.ts';
import type { Yard } from '#app/yard.ts';
import { signedHook } from './signed-hook.ts';

/** FastNetMon's text with its packets is some tens of kilobytes. */
const largestBytes = 256 * 1024;

export async function detectorHook(server: FastifyInstance, yard: Yard): Promise<void> {
  const record = detectionRecorder(yard);
  const read = hookReports(yard);
  await signedHook(server, 'detector', largestBytes, async ({ name, headers, body }) => {
    await record(await read(name, headers, body));
    return 'Recorded';
  });
}
