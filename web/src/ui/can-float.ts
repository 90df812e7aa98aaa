/** Returns whether the browser supports a floating window (Document Picture-in-Picture). */
export function canFloat(): boolean {
  return 'documentPictureInPicture' in window
}
