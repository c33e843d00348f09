// Checks the site file: whether it is valid, whether the lab is reachable from outside, when certificates expire, whether
// secrets of transfer keys are long enough, and whether the files of iPXE exist.
import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fault, warning, type Check, type Problem } from '#app/doctor/check.ts';
import { findShortSecrets } from '#app/doctor/transfer-keys.ts';
import { firmwareNames, firmwarePath } from '#app/reload/first-stage.ts';
import { readSite, SiteError } from '#app/site/file.ts';
import type { Site } from '#contract/site/site.ts';
import { parseAddress } from '#lib/addresses.ts';
import type { Config } from '#lib/config.ts';
import { secretBox } from '#lib/secrets.ts';
import { dayMs } from '#lib/time.ts';
import { findSealingKey, type Target } from './machine.ts';

const renewDays = 30;

export const siteChecks: readonly Check<Target>[] = [
  {
    name: 'site file',
    okMessage: 'Valid.',
    run({ config }) {
      if (config.siteFile === undefined) return labProblems(config);
      try {
        loadSite(config);
        return [];
      } catch (error) {
        const fix = 'Fix the file; `hostyard apply --check` lists all problems.';
        if (error instanceof SiteError) return [fault(error.message.split('\n')[0]!, fix)];
        return [fault(`${config.siteFile} cannot be read: ${(error as Error).message}`, 'Check HOSTYARD_SITE.')];
      }
    },
  },
  {
    name: 'certificates',
    okMessage: 'No certificate expires within a month.',
    run: ({ config }) => listCertificates(readSiteIfValid(config)).flatMap(certificateProblems),
  },
  {
    name: 'transfer keys',
    okMessage: 'All secrets are long enough for their algorithms.',
    run: ({ config }) => findShortSecrets(readSiteIfValid(config)),
  },
  {
    name: 'network boot',
    okMessage: 'The files of iPXE exist, or TFTP is not used.',
    run({ config }) {
      const boot = readSiteIfValid(config)?.boot;
      if (boot?.tftp === undefined) return [];
      const fix = 'Install the package ipxe, or set boot.firmware to a folder with these files.';
      return Object.values(firmwareNames)
        .map((name) => firmwarePath(boot, name))
        .filter((path) => !existsSync(path))
        .map((path) => fault(`${path} is missing, so servers cannot boot over the network.`, fix));
    },
  },
  {
    name: 'legacy interface',
    okMessage: 'Its sunset date is not set or not reached.',
    run({ config }) {
      const sunset = readSiteIfValid(config)?.legacy?.sunset;
      if (sunset === undefined || sunset >= new Date().toISOString().slice(0, 10)) return [];
      const fix = 'Check the log for remaining callers, help them move, and set a later date in the meantime.';
      return [warning(`Its sunset date was ${sunset}, but it is still enabled.`, fix)];
    },
  },
];

/** Returns the site as the server would apply it, or undefined before the first start of the lab. */
function loadSite(config: Config): Site | undefined {
  const file = config.siteFile ?? join(config.dataFolder, 'lab.yaml');
  if (config.siteFile === undefined && !existsSync(file)) return undefined;
  const key = findSealingKey(config);
  return readSite(readFileSync(file, 'utf8'), file, key && secretBox(key));
}

/** Returns undefined if the file is invalid, which the site file check already reports. */
export function readSiteIfValid(config: Config): Site | undefined {
  try {
    return loadSite(config);
  } catch {
    return undefined;
  }
}

function labProblems({ listen }: Config): Problem[] {
  const fix = 'Write a site file, set HOSTYARD_SITE to it, and use a separate data folder.';
  return listen.host === 'localhost' || parseAddress(listen.host)?.range() === 'loopback'
    ? [warning('HOSTYARD_SITE is not set. This is the lab: sample customers on simulated equipment.', fix)]
    : [fault(`The lab, whose keys are in a plain file, listens on ${listen.host}.`, fix)];
}

interface SiteCertificate {
  readonly location: string;
  readonly pem: string;
}

function listCertificates(site: Site | undefined): SiteCertificate[] {
  const media = site?.media?.certificate;
  const hypervisorCertificates = (site?.nodes ?? []).flatMap(({ name, settings }) =>
    ['certificate', 'serverCertificate'].flatMap((field) => {
      const pem = (settings as Readonly<Record<string, unknown>>)[field];
      return typeof pem === 'string' ? [{ location: `of hypervisor ${name} (${field})`, pem }] : [];
    }),
  );
  return [
    ...(media === undefined
      ? []
      : [{ location: `of the media listener (${media})`, pem: readFileSync(media, 'utf8') }]),
    ...hypervisorCertificates,
  ];
}

function certificateProblems({ location, pem }: SiteCertificate): Problem[] {
  const expiry = new X509Certificate(pem).validToDate;
  const days = Math.floor((expiry.getTime() - Date.now()) / dayMs);
  const fix = 'Renew it, then restart the server.';
  if (days < 0) return [fault(`The certificate ${location} expired on ${expiry.toISOString().slice(0, 10)}.`, fix)];
  return days < renewDays ? [warning(`The certificate ${location} expires in ${days} days.`, fix)] : [];
}
