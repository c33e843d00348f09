// The PowerDNS-compatible API.
import type { powerdnsAutomation } from '#contract/automation/powerdns.ts';
import {
  checkZoneSettings,
  createZoneDocument,
  findZoneByName,
  getZoneDocument,
  listZoneDocuments,
} from '#app/dns/powerdns-zones.ts';
import { changeSets } from '#app/dns/rrset-changes.ts';
import { zoneDelete } from '#app/dns/zones.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

const serverUrl = '/api/v1/servers/localhost';
/** Clients take a zone that is absent in a version before 4.2 for another error than 404. */
const server = {
  config_url: `${serverUrl}/config{/config_setting}`,
  daemon_type: 'authoritative',
  id: 'localhost',
  type: 'Server',
  url: serverUrl,
  version: '4.9.0',
  zones_url: `${serverUrl}/zones{/zone}`,
};

export const powerdnsHandlers: HandlersOf<typeof powerdnsAutomation> = {
  apiList: () => [{ url: '/api/v1', version: 1 }],
  apiGet: () => ({ api_features: [], server_url: '/api/v1/servers{/server}' }),
  serverList: () => [server],
  serverGet: () => server,
  zoneList: (context, { zone }) => listZoneDocuments(context, zone),
  zoneCreate: (context, { name, kind, dnssec, ...content }) => {
    checkZoneSettings({ kind, dnssec });
    return createZoneDocument(context, name, content);
  },
  zoneGet: (context, { zone, rrsets = true, rrset_name, rrset_type }) =>
    getZoneDocument(context, zone, { withSets: rrsets, name: rrset_name, type: rrset_type }),
  zonePatch: respondWith(null, async (context, { zone, rrsets }) => {
    const { id } = await findZoneByName(context, zone);
    await changeSets(context, id, rrsets);
  }),
  zoneUpdate: respondWith(null, async (context, { zone, ...settings }) => {
    await findZoneByName(context, zone);
    checkZoneSettings(settings);
  }),
  zoneDelete: respondWith(null, async (context, { zone }) => {
    const { id } = await findZoneByName(context, zone);
    await zoneDelete(context, id);
  }),
  zoneNotify: async (context, { zone }) => {
    const { name } = await findZoneByName(context, zone);
    context.app.nameService.notify(name);
    return { result: 'Notification queued' };
  },
};
