// hostyard metrics: what Prometheus gets when it scrapes the account.
import { apiHandler } from '../command.ts';
import type { Session } from '../session.ts';

export const showMetrics = apiHandler({
  async run({ client, print }: Session) {
    const { bytes } = await client.metricsGet();
    await print.text(new TextDecoder().decode(bytes).trimEnd());
  },
});
