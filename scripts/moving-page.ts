// docs/moving-from-legacy.md, from the table of twins: every legacy call with what does the same in version 2.
import { legacy, v2 } from '#contract/contract.ts';
import type { Face } from '#contract/endpoint.ts';
import { twins } from '#contract/twins.ts';

const opening = `# Moving from the legacy interface to version 2

<!-- Made from src/contract/twins.ts by \`npm run golden\`. -->

Both interfaces work on the same account with the same keys, so a program can move one call at a time. \`@hostyard/sdk\` has a client for
each ([README](../src/sdk/README.md)).

What is different everywhere:

- A device is named by its service id, not by \`server\` or \`vmid\`. \`GET /v2/device/list\` has all three.
- Unknown parameters are refused by name; legacy ignores them.
- A refusal is \`{code, message, fields}\` in \`result\`; in legacy it is a text. Compare \`code\`.
- Bodies may be JSON. DELETE and PUT take parameters from the body or the query.
- What happens is told by events, as a log, a stream and webhooks ([events](events.md)).

Where the provider has set a date (\`legacy\` in the [site file](operating.md#the-end-of-the-legacy-interface)), answers of the calls that have
a twin carry \`Deprecation\`, \`Sunset\` and links to more. Calls without a twin stay.

| legacy | version 2 | what changes |
| --- | --- | --- |
`;

export function movingPage(): string {
  const lines = Object.entries(legacy as Face).map(([name, { method, path }]) => {
    const { operations, note } = twins[name as keyof typeof twins];
    const calls = operations.map((operation) => `${v2[operation].method} \`${v2[operation].path}\``);
    return `| ${method} \`${path}\` | ${calls.length === 0 ? 'none' : calls.join('<br>')} | ${note} |\n`;
  });
  return opening + lines.join('');
}
