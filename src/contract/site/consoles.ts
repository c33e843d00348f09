// The site file's part about consoles of dedicated servers: the gateway between customers and controllers.
import { Type, type Static } from 'typebox';
import * as p from '../parameters.ts';
import { HttpUrl } from './systems.ts';

export const SiteConsoles = p.StrictObject({
  /** The name that customers connect to; by default the address below. */
  host: Type.Optional(p.Text({ max: 253 })),
  /** The address on which the forwards listen. */
  address: p.IpAddress,
  /** Ports and ranges. A session of a launcher file uses up to six. */
  ports: Type.String({
    pattern: '^[0-9]{1,5}(?:-[0-9]{1,5})?(?:,[0-9]{1,5}(?:-[0-9]{1,5})?)*$',
    maxLength: 1024,
    'x-reason': 'must be ports and ranges, such as 20000-20199',
  }),
  web: Type.Optional(
    p.StrictObject({
      /** Where browsers reach the web consoles, usually behind a proxy with TLS. */
      listen: p.ListenAddress,
      /** The origin that customers use. Each session has a name below its host: <session>.console.example.net. */
      url: Type.Optional(HttpUrl),
    }),
  ),
});

export type SiteConsoles = Static<typeof SiteConsoles>;
