/** The setup before every file of tests; web has its own. */
import './patient.ts'
