; The app claims the links barograph:// and the clicks on its notifications for its user when it starts; the uninstaller
; gives them back.
!macro customUnInstall
  DeleteRegKey HKCU "Software\Classes\barograph"
  DeleteRegKey HKCU "Software\Classes\CLSID\{80002B28-49A9-4074-97EF-AB42E8715F26}"
!macroend
