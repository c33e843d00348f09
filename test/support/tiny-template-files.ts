// Files of the tiny template in addition to Debian's programs: its init, its configuration, and the few lines that replace
// cloud-init.

export const modules =
  'virtio_pci virtio_balloon virtio_blk virtio_net virtio_console ata_piix sr_mod isofs evdev button'.split(' ');

// The seed is applied once per instance id, as cloud-init does.
export const init = `#!/bin/sh
mount -t proc p /proc; mount -t sysfs s /sys; mount -t devtmpfs d /dev
while read -r module; do insmod "/modules/$module"; done </modules/order
n=0; while [ ! -b /dev/vda1 ] && [ $n -lt 100 ]; do sleep 0.1; n=$((n+1)); done
mount -t ext4 /dev/vda1 /newroot
for device in /dev/sr0 /dev/sr1; do
  mount -t iso9660 -o ro $device /seed 2>/dev/null || continue
  if [ -f /seed/user-data ]; then
    id=$(sed -n 's/^instance-id: *//p' /seed/meta-data)
    if [ "$(cat /newroot/var/instance 2>/dev/null)" != "$id" ]; then
      sed -n 's/^hostname: *//p' /seed/user-data >/newroot/etc/hostname
      hash=$(sed -n 's/^ *root://p' /seed/user-data)
      sed -i "s|^root:[^:]*:|root:$hash:|" /newroot/etc/shadow
      cp /seed/network-config /newroot/etc/network-config
      echo "$id" >/newroot/var/instance
    fi
  fi
  umount /seed
done
mount --move /dev /newroot/dev; mount --move /proc /newroot/proc; mount --move /sys /newroot/sys
exec switch_root /newroot /bin/init
`;

/** Files of the root by path; those that begin with #! are executable. */
export const root: Readonly<Record<string, string>> = {
  'etc/passwd': 'root:x:0:0:root:/root:/bin/sh\n',
  'etc/shadow': 'root:*:19000:0:99999:7:::\n',
  'etc/group': 'root:x:0:\n',
  'etc/hostname': 'unset\n',
  'etc/inittab': `::sysinit:/etc/rc
ttyS0::respawn:/bin/getty -L ttyS0 115200 vt100
tty1::respawn:/bin/getty 38400 tty1
::respawn:/usr/sbin/qemu-ga -m virtio-serial -p /dev/virtio-ports/org.qemu.guest_agent.0 -f /run/qga.pid -t /run
::respawn:/bin/acpid -f -l /dev/null
::ctrlaltdel:/bin/reboot
::shutdown:/bin/umount -a -r
`,
  'etc/rc': `#!/bin/sh
export PATH=/bin:/sbin:/usr/sbin
mount -o remount,rw /
mount -t devpts p /dev/pts 2>/dev/null
mount -t tmpfs t /run
hostname -F /etc/hostname
mkdir -p /dev/virtio-ports
for port in /sys/class/virtio-ports/vport*; do
  name=$(cat $port/name) && ln -s ../\${port##*/} /dev/virtio-ports/$name
done
ip link set lo up
ip link set eth0 up
address=$(sed -n 's/^ *- \\([0-9.]*\\/[0-9]*\\)$/\\1/p' /etc/network-config | head -n 1)
[ -z "$address" ] || ip address add $address dev eth0
`,
  'etc/acpi/PWRF/00000080': '#!/bin/sh\nexec /bin/poweroff\n',
  // The agent calls these two programs, which busybox lacks or has in another form.
  'usr/sbin/chpasswd': `#!/bin/sh
IFS=: read -r user password
[ "$1" = -e ] || password=$(printf %s "$password" | mkpasswd -m sha512 -P 0)
[ -n "$password" ] || exit 1
sed -i "s|^$user:[^:]*:|$user:$password:|" /etc/shadow
sync
`,
  'sbin/shutdown': '#!/bin/sh\ncase "$1" in -r) exec /bin/reboot;; *) exec /bin/poweroff;; esac\n',
};
