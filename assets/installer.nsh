; The app claims the links barograph:// for its user when it starts; the uninstaller gives them back.
!macro customUnInstall
  DeleteRegKey HKCU "Software\Classes\barograph"
!macroend
