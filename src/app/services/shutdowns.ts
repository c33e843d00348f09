// Follows devices that were asked to shut down, each by one workflow however often it is asked.
import type { Service } from '#store/devices/services.ts';
import { workflowsOfService } from '#store/work/workflows.ts';
import { shutdown, type ShutdownInput } from '#workflows/service/shutdown.ts';
import type { Context } from '../app.ts';
import { startServiceWork } from './services.ts';

const limitMs = 5 * 60_000;

export async function followShutdown(
  context: Context,
  service: Service,
  target: ShutdownInput['target'],
): Promise<void> {
  await context.app.store.transaction(async (queries) => {
    const running = await workflowsOfService(queries, service.id);
    if (running.some(({ name }) => name === shutdown.name)) return;
    await startServiceWork({ ...context, queries }, service, shutdown, { target, limitMs });
  });
}
