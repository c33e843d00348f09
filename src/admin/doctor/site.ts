// The site file: whether it can be read, whether it is the lab that strangers can reach, and how long its certificates last.
import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fault, warning, type Check, type Problem } from '#app/doctor/check.ts';
import { readSite, SiteError } from '#app/site/file.ts';
import type { Site } from '#contract/site.ts';
import { parseAddress } from '#kernel/addresses.ts';
import type { Config } from '#kernel/config.ts';
import { secretBox } from '#kernel/secrets.ts';
import { presentKey } from './key.ts';
import type { Patient } from './machine.ts';

const dayMs = 86_400_000;
const renewDays = 30;

export const siteChecks: readonly Check<Patient>[] = [
  {
    name: 'site file',
    fine: 'It can be applied.',
    look({ config }) {
      if (config.siteFile === undefined) return labProblems(config);
      try {
        siteOf(config);
        return [];
      } catch (error) {
        const mend = 'Mend the file; `hostyard apply --check` tells all its faults.';
        if (error instanceof SiteError) return [fault(`${error.message.split('\n')[0]}`, mend)];
        return [fault(`${config.siteFile} cannot be read: ${(error as Error).message}`, 'Look at HOSTYARD_SITE.')];
      }
    },
  },
  {
    name: 'certificates',
    fine: 'None ends within a month.',
    look: ({ config }) => certificatesOf(readable(config)).flatMap(certificateProblems),
  },
  {
    name: 'legacy interface',
    fine: 'Its end has not come, or is not set.',
    look({ config }) {
      const sunset = readable(config)?.legacy?.sunset;
      if (sunset === undefined || sunset >= new Date().toISOString().slice(0, 10)) return [];
      const mend = 'Look in the log who still calls it, help them to move, and set another date until they have.';
      return [warning(`Its end was to be ${sunset}, and it still answers.`, mend)];
    },
  },
];

/** The site as the server would apply it; undefined before the lab's first start. */
export function siteOf(config: Config): Site | undefined {
  const file = config.siteFile ?? join(config.dataFolder, 'lab.yaml');
  if (config.siteFile === undefined && !existsSync(file)) return undefined;
  const key = presentKey(config);
  return readSite(readFileSync(file, 'utf8'), file, key && secretBox(key));
}

/** What other checks make of a file that cannot be read: nothing. That it cannot is told already. */
export function readable(config: Config): Site | undefined {
  try {
    return siteOf(config);
  } catch {
    return undefined;
  }
}

function labProblems({ listen }: Config): Problem[] {
  const mend = 'Write a site file and name it with HOSTYARD_SITE, on a data folder of its own.';
  return listen.host === 'localhost' || parseAddress(listen.host)?.range() === 'loopback'
    ? [warning('This is the lab: sample customers on simulated equipment.', mend)]
    : [fault(`The lab, whose keys stand in a file, listens on ${listen.host}.`, mend)];
}

interface Shown {
  readonly where: string;
  readonly pem: string;
}

function certificatesOf(site: Site | undefined): Shown[] {
  const media = site?.media?.certificate;
  const ofNodes = (site?.nodes ?? []).flatMap(({ name, settings }) =>
    ['certificate', 'serverCertificate'].flatMap((field) => {
      const pem = (settings as Readonly<Record<string, unknown>>)[field];
      return typeof pem === 'string' ? [{ where: `of node ${name} (${field})`, pem }] : [];
    }),
  );
  return [
    ...(media === undefined ? [] : [{ where: `of the media listener (${media})`, pem: readFileSync(media, 'utf8') }]),
    ...ofNodes,
  ];
}

function certificateProblems({ where, pem }: Shown): Problem[] {
  const ends = new X509Certificate(pem).validToDate;
  const days = Math.floor((ends.getTime() - Date.now()) / dayMs);
  const mend = 'Renew it, then restart.';
  if (days < 0) return [fault(`The certificate ${where} ended on ${ends.toISOString().slice(0, 10)}.`, mend)];
  return days < renewDays ? [warning(`The certificate ${where} ends in ${days} days.`, mend)] : [];
}
