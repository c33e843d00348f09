// Launcher files (Java Web Start) for BMC remote consoles, by model. They name the console gateway, never the BMC itself, and a
// user that exists as long as the session.
import { escapeXml } from '#lib/xml.ts';

export interface LauncherAccess {
  /** The console gateway. */
  readonly host: string;
  readonly server: string;
  readonly username: string;
  readonly password: string;
}

interface LauncherModel {
  readonly jar: string;
  readonly mainClass: string;
  readonly arguments: (access: LauncherAccess) => readonly string[];
}

/** The three common families of remote consoles. */
const models: Readonly<Record<string, LauncherModel>> = {
  aten: {
    jar: 'iKVM.jar',
    mainClass: 'tw.com.aten.ikvm.KVMMain',
    arguments: ({ host, username, password }) => [host, username, password, '5900', '623', '2', '0'],
  },
  ami: {
    jar: 'release/JViewer.jar',
    mainClass: 'com.ami.kvm.jviewer.JViewer',
    arguments: ({ host, username, password }) => [
      '-apptype',
      'JViewer',
      '-hostname',
      host,
      '-kvmport',
      '7578',
      '-u',
      username,
      '-p',
      password,
    ],
  },
  generic: {
    jar: 'console.jar',
    mainClass: 'console.Main',
    arguments: ({ host, username, password }) => [host, username, password],
  },
};

export function launcherFile(model: string, access: LauncherAccess): string {
  const { jar, mainClass, arguments: argumentsOf } = models[Object.hasOwn(models, model) ? model : 'generic']!;
  const argumentLines = argumentsOf(access).map((text) => `    <argument>${escapeXml(text)}</argument>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<jnlp spec="1.0+" codebase="https://${escapeXml(access.host)}/">
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
