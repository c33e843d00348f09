// Generates docs/reference/moving-from-legacy.md: every legacy call with its equivalent in version 2.
import { legacy, v2 } from '#contract/contract.ts';
import type { Api } from '#contract/endpoint.ts';
import { legacyEquivalents } from '#contract/legacy-equivalents.ts';

const opening = `# Move from the legacy API to version 2

<!-- Generated from src/contract/legacy-equivalents.ts by \`npm run golden\`. -->

Both APIs work on the same account with the same keys, so a program can move one call at a time. \`@hostyard/sdk\` has a client for each
([README](../../src/sdk/README.md)).

Differences that apply to every call:

- A device is identified by its service id, not by \`server\` or \`vmid\`. \`GET /v2/device/list\` returns all three; \`server\` of
  the legacy API is \`alias\` there.
- Unknown parameters are rejected by name; the legacy API ignores them.
- An error is \`{code, message, fields}\` in \`result\`; in the legacy API it is a text. Compare \`code\`.
- A call has exactly one method; the legacy API also accepts POST in place of GET. DELETE and PUT take parameters from the
  body or the query.
- Changes emit events, available as a log, a stream and webhooks ([events](events.md)).

If the provider has set an end date (\`legacy\` in the [site file](../guides/legacy-sunset.md)), responses of calls that have an equivalent
carry \`Deprecation\`, \`Sunset\` and links to more information. Calls without an equivalent stay.

| legacy | version 2 | what changes |
| --- | --- | --- |
`;

export function movingPage(): string {
  const lines = Object.entries(legacy as Api).map(([name, { method, path }]) => {
    const { operations, note } = legacyEquivalents[name as keyof typeof legacyEquivalents];
    const calls = operations.map((operation) => `${v2[operation].method} \`${v2[operation].path}\``);
    return `| ${method} \`${path}\` | ${calls.length === 0 ? 'none' : calls.join('<br>')} | ${note} |\n`;
  });
  return opening + lines.join('');
}
