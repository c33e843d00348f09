// Clients that call a server without a pause, some with a new connection for each request, until they are stopped. Each
// request must get a response: a connection that is refused or cut is a failure.
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { until } from './until.ts';

export interface SteadyRequests {
  /** Resolves when many more requests have been answered. */
  advance(): Promise<void>;
  /** Returns errors, and statuses other than 200. */
  stop(): Promise<unknown[]>;
}

const clientsPerAgent = 3;
const manyRequests = 60;

export function startRequests(url: URL): SteadyRequests {
  const failures: unknown[] = [];
  const agents = [false, true].map((keepAlive) => new Agent({ keepAlive }));
  let answered = 0;
  const over = new AbortController();

  const call = async (agent: Agent): Promise<void> => {
    try {
      const [message] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
      await once(message.resume(), 'end');
      answered++;
      if (message.statusCode !== 200) failures.push(message.statusCode);
    } catch (error) {
      failures.push(error);
    }
  };
  const clients = agents.flatMap((agent) =>
    Array.from({ length: clientsPerAgent }, async () => {
      while (!over.signal.aborted) await call(agent);
    }),
  );
  return {
    async advance() {
      const goal = answered + manyRequests;
      await until(() => answered >= goal, { saw: () => ({ answered, goal, failures: failures.slice(0, 3) }) });
    },
    async stop() {
      over.abort();
      await Promise.all(clients);
      for (const agent of agents) agent.destroy();
      return failures;
    },
  };
}
