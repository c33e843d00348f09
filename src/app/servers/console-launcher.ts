// Launcher files (Java Web Start) of the controllers' consoles, by model. They name the console gateway, never the
// controller itself, and a user that lives as long as the session.
export interface LauncherAccess {
  /** The gateway's name. */
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

/** The three families of remote console that controllers are shipped with. */
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
  const argumentLines = argumentsOf(access).map((text) => `    <argument>${escaped(text)}</argument>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<jnlp spec="1.0+" codebase="https://${escaped(access.host)}/">
  <information>
    <title>Console of ${escaped(access.server)}</title>
    <vendor>Hostyard</vendor>
  </information>
  <security>
    <all-permissions/>
  </security>
  <resources>
    <j2se version="1.6+"/>
    <jar href="${escaped(jar)}" main="true"/>
  </resources>
  <application-desc main-class="${escaped(mainClass)}">
${argumentLines.join('\n')}
  </application-desc>
</jnlp>
`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character]!);
}
