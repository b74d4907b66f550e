// Main, host: the switches of Chromium that a start passes on to Electron, and the rule that decides.

/**
 * A switch is passed on where it says how the window is drawn, typed into or read aloud, in which language, or which
 * proxy its requests take. Chromium has hundreds of others, and some take away the sandbox, the web's security or the
 * check of certificates, load code, or open a port to a debugger. Chromium obeys a switch before this program runs, so
 * none can be taken back: one that is not listed ends the start. `--disable-features` is not: it can name a protection.
 */
const PASSED_ON = new Set([
  // Display.
  'class',
  'disable-accelerated-2d-canvas',
  'disable-accelerated-video-decode',
  'disable-dev-shm-usage',
  'disable-font-subpixel-positioning',
  'disable-gpu',
  'disable-gpu-compositing',
  'disable-gpu-rasterization',
  'disable-gpu-vsync',
  'disable-lcd-text',
  'disable-smooth-scrolling',
  'disable-software-rasterizer',
  'enable-features',
  'enable-gpu-rasterization',
  'enable-smooth-scrolling',
  'force-color-profile',
  'force-dark-mode',
  'force-device-scale-factor',
  'force-high-contrast',
  'force-prefers-reduced-motion',
  'force_high_performance_gpu',
  'force_low_power_gpu',
  'gtk-version',
  'high-dpi-support',
  'ignore-gpu-blocklist',
  'ozone-platform',
  'ozone-platform-hint',
  'use-angle',
  'use-gl',
  'use-vulkan',
  // Input, and what reads the window aloud.
  'disable-pinch',
  'enable-wayland-ime',
  'force-renderer-accessibility',
  'touch-events',
  'wayland-text-input-version',
  // Language.
  'lang',
  // Proxy.
  'no-proxy-server',
  'proxy-auto-detect',
  'proxy-bypass-list',
  'proxy-pac-url',
  'proxy-server',
]);

/** True for `--name` and `--name=value`, the forms that Chromium reads. */
export const isPassedOn = (argument: string): boolean =>
  PASSED_ON.has(/^--([a-z][a-z0-9_-]*)(=|$)/.exec(argument)?.[1] ?? '');
