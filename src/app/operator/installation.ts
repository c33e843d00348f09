// Problems of the whole installation, which every member of staff should know.
import type { Static } from 'typebox';
import type { Installation } from '#contract/operator/fleet.ts';
import { timeText } from '#lib/time.ts';
import { findBillingPause } from '../billing/pause.ts';
import { findSiteProblem } from '../site/file-problem.ts';
import type { Context } from '../app.ts';

export async function installationGet({ app, queries }: Context): Promise<Static<typeof Installation>> {
  const pause = await findBillingPause(app);
  return {
    time: timeText(app.clock.now()),
    billing: pause === undefined ? 'running' : 'paused',
    lasttime: pause === undefined ? '' : timeText(pause.from),
    sitefile: (await findSiteProblem(queries))?.message ?? '',
  };
}
