// Main, Node shell: the settings file by `conf`: written atomically, for its owner only.
import Conf from 'conf';
import { type JsonStore, SETTINGS_NAME } from '../host/settings-store.ts';

export const openConf = (dataFolder: string): JsonStore =>
  new Conf({ cwd: dataFolder, configName: SETTINGS_NAME, configFileMode: 0o600 });
