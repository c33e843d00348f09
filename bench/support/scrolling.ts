// The cost of scrolling a table of the panel, in CPU time of the main thread.
import type { CDPSession, Page } from 'playwright-core';

const frames = 240;

/** Counts CPU time instead of wall time. */
export async function startCpuCount(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return session;
}

export interface Scrolling {
  /** The start of the accessible name of the part that scrolls. */
  readonly region: string;
  readonly pxPerFrame: number;
}

/** Returns the milliseconds per frame. */
export async function scrollCost(page: Page, session: CDPSession, { region, pxPerFrame }: Scrolling): Promise<number> {
  const startSeconds = await cpuSeconds(session);
  await page.evaluate(`(async () => {
    const frame = document.querySelector('[role=region][aria-label^="${region}"]');
    frame.scrollTop = 0;
    for (let drawn = 0; drawn < ${frames}; drawn++) {
      frame.scrollTop += ${pxPerFrame};
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  })()`);
  return (((await cpuSeconds(session)) - startSeconds) * 1000) / frames;
}

async function cpuSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')!.value;
}
