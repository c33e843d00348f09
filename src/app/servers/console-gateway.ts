// The gateway between customers and the controllers of their servers. The listeners are in src/http/consoles; this is what
// the rest of the process knows of them.
import type { Site } from '#contract/site/site.ts';
import type { SiteProblem } from '../site/site-problem.ts';
import { openViews, type OpenViews } from '../devices/open-views.ts';

/** Views by server. */
export interface ConsoleGateway extends OpenViews<string> {
  /** Where this process forwards, if it does. */
  forwards: { readonly host: string; readonly ports: readonly number[] } | undefined;
  /** The origin below which each web console has a host name, if this process serves them. */
  webUrl: URL | undefined;
}

export function openConsoleGateway(): ConsoleGateway {
  return { ...openViews<string>(), forwards: undefined, webUrl: undefined };
}

const maxPort = 65_535;

/** Returns the ports of a list such as `20000-20099,20200`, or undefined if a range is not one. */
export function parsePorts(text: string): number[] | undefined {
  const ranges = text.split(',').map((range) => range.split('-').map(Number));
  const isRange = ([first = 0, last = first]: number[]): boolean => first <= last && last <= maxPort;
  if (!ranges.every(isRange)) return undefined;
  return ranges.flatMap(([first = 0, last = first]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
}

export function* checkConsoles({ consoles }: Site): Iterable<SiteProblem> {
  if (consoles !== undefined && parsePorts(consoles.ports) === undefined)
    yield [['consoles', 'ports'], `${consoles.ports} is not a list of ports and ranges; write the lower port first`];
}
