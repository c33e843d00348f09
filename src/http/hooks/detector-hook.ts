// Receives attack reports from detectors.
import type { FastifyInstance } from 'fastify';
import { detectionRecorder } from '#app/network/detections.ts';
import { createReportReader } from '#app/network/detectors.ts';
import type { App } from '#app/app.ts';
import { addSignedHook } from './signed-hook.ts';

/** FastNetMon's text with its packets takes tens of kilobytes. */
const maxBytes = 256 * 1024;

export async function addDetectorHook(server: FastifyInstance, app: App): Promise<void> {
  const record = detectionRecorder(app);
  const read = createReportReader(app);
  await addSignedHook(server, 'detector', maxBytes, async ({ name, headers, body }) => {
    await record(await read(name, headers, body));
    return 'Recorded';
  });
}
