// Launcher files (Java Web Start) for BMC remote consoles, by model. They name the console gateway, never the BMC itself, and a
// user that exists as long as the session. Controllers whose page we can use make the file themselves; for the others it is
// composed here, and the Java program comes from the controller through the gateway.
import { hostAndPort } from '#lib/config.ts';
import { escapeXml } from '#lib/xml.ts';

export interface LauncherAccess {
  /** The console gateway. */
  readonly host: string;
  readonly server: string;
  readonly username: string;
  readonly password: string;
  /** The gateway's ports by the controller's. */
  readonly ports: Readonly<Record<string, number>>;
}

interface LauncherModel {
  readonly jar: string;
  readonly mainClass: string;
  /** The controller's own ports. */
  readonly ports: readonly number[];
  readonly arguments: (access: LauncherAccess) => readonly (string | number | undefined)[];
}

const webPort = 443;

const models: Readonly<Record<string, LauncherModel>> = {
  aten: {
    jar: 'iKVM.jar',
    mainClass: 'tw.com.aten.ikvm.KVMMain',
    ports: [webPort, 5900, 623],
    // The last two are the numbers of the company and of the board.
    arguments: ({ host, username, password, ports }) => [
      host,
      username,
      password,
      'null',
      ports[5900],
      ports[623],
      2,
      0,
    ],
  },
  idrac: {
    jar: 'software/avctKVM.jar',
    mainClass: 'com.avocent.idrac.kvm.Main',
    ports: [webPort, 5900],
    arguments: ({ host, username, password, ports }) => [
      `ip=${host}`,
      `user=${username}`,
      `passwd=${password}`,
      `kmport=${ports[5900]}`,
      `vport=${ports[5900]}`,
      'apcp=1',
      'version=2',
      'vmprivilege=true',
    ],
  },
};

/** Returns the ports of a model's console, or undefined if we cannot compose its launcher file. */
export function composedPorts(model: string): readonly number[] | undefined {
  return Object.hasOwn(models, model) ? models[model]!.ports : undefined;
}

export function composeLauncher(model: string, access: LauncherAccess): string {
  const { jar, mainClass, arguments: argumentsOf } = models[model]!;
  const argumentLines = argumentsOf(access).map((value) => `    <argument>${escapeXml(String(value))}</argument>`);
  const codebase = `https://${hostAndPort({ host: access.host, port: access.ports[webPort] ?? webPort })}/`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<jnlp spec="1.0+" codebase="${escapeXml(codebase)}">
  <information>
    <title>Console of ${escapeXml(access.server)}</title>
    <vendor>Hostyard</vendor>
  </information>
  <security>
    <all-permissions/>
  </security>
  <resources>
    <j2se version="1.6+"/>
    <jar href="${escapeXml(jar)}" main="true"/>
  </resources>
  <application-desc main-class="${escapeXml(mainClass)}">
${argumentLines.join('\n')}
  </application-desc>
</jnlp>
`;
}
